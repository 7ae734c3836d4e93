"""Networks as files that the product reads: ONNX with half-precision weights, and tables for the small layers."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper
from torch import nn


class Pixels(nn.Module):
    """Takes colours of 0…1."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, *inputs: torch.Tensor) -> object:
        return self.inner((inputs[0] - 0.5) / 0.25, *inputs[1:])


def export(
    network: nn.Module, shapes: list[tuple[int, ...]], path: Path, outputs: int = 1, pixels: bool = True
) -> None:
    network = copy.deepcopy(network).to("cpu").float().eval()
    inputs = tuple(torch.zeros(*shape) for shape in shapes)
    wrapped = Pixels(network) if pixels else network
    names = [f"x{k}" for k in range(len(shapes))]
    results = [f"y{k}" for k in range(outputs)]
    torch.onnx.export(
        wrapped, inputs, str(path), input_names=names, output_names=results, opset_version=13, dynamo=False
    )
    graph = onnx.load(path)
    for weight in graph.graph.initializer:
        if weight.data_type == TensorProto.FLOAT:
            half = numpy_helper.to_array(weight).astype(np.float16)
            weight.CopyFrom(numpy_helper.from_array(half, weight.name))
    onnx.save(graph, path)


def table(network: nn.Module) -> dict[str, np.ndarray]:
    return {
        name: value.detach().cpu().float().numpy().astype(np.float16) for name, value in network.state_dict().items()
    }


def export_parts(name: str, network: nn.Module, size: int, out: Path) -> None:
    """A network that looks at windows part by part: the blocks that look for OpenCV, all else as a table."""
    export(network.early, [(1, 5, size, size)], out / f"{name}_parts.onnx", pixels=False)
    kept = {key: value for key, value in table(network).items() if not key.startswith("early.")}
    np.savez_compressed(out / f"{name}.npz", **kept)
