"""Packed pixels to planar 4:2:0 in BT.709 limited range, in integers, so every machine gives the same bytes."""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: ANN001, ANN201, ANN202
import numpy as np
import numpy.typing as npt

from storyengine.media.kernel import kernel

BYTE = np.int32(255)
S8 = np.int32(8)
S15 = np.int32(15)
S16 = np.int32(16)
YR, YG, YB, Y0 = np.int32(5983), np.int32(20127), np.int32(2032), np.int32(540672)
UR, UG, UB = np.int32(-1649), np.int32(-5547), np.int32(7196)
VR, VG, VB = np.int32(7196), np.int32(-6536), np.int32(-660)
C0 = np.int32(8421376)


@kernel
def luma(packed, out):
    """(h, w) of 0x__BBGGRR to the Y plane."""
    for y in range(packed.shape[0]):
        source = packed[y]
        row = out[y]
        for x in range(packed.shape[1]):
            c = np.int32(source[x])
            row[x] = np.uint8((YR * (c & BYTE) + YG * ((c >> S8) & BYTE) + YB * ((c >> S16) & BYTE) + Y0) >> S15)


@kernel
def chroma(packed, out_u, out_v):
    """(h, w) of 0x__BBGGRR to the U and V planes, each the mean of four pixels."""
    for y in range(packed.shape[0] // 2):
        upper = packed[2 * y]
        lower = packed[2 * y + 1]
        u = out_u[y]
        v = out_v[y]
        for x in range(packed.shape[1] // 2):
            p = np.int32(upper[2 * x])
            q = np.int32(upper[2 * x + 1])
            r = np.int32(lower[2 * x])
            t = np.int32(lower[2 * x + 1])
            red = (p & BYTE) + (q & BYTE) + (r & BYTE) + (t & BYTE)
            green = ((p >> S8) & BYTE) + ((q >> S8) & BYTE) + ((r >> S8) & BYTE) + ((t >> S8) & BYTE)
            blue = ((p >> S16) & BYTE) + ((q >> S16) & BYTE) + ((r >> S16) & BYTE) + ((t >> S16) & BYTE)
            u[x] = np.uint8((UR * red + UG * green + UB * blue + C0) >> S16)
            v[x] = np.uint8((VR * red + VG * green + VB * blue + C0) >> S16)


@kernel
def _rgb_rows(luma_plane, u_plane, v_plane, out):
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            c = np.int32(298) * (np.int32(luma_plane[y, x]) - np.int32(16))
            d = np.int32(u_plane[y >> 1, x >> 1]) - np.int32(128)
            e = np.int32(v_plane[y >> 1, x >> 1]) - np.int32(128)
            red = (c + np.int32(459) * e + np.int32(128)) >> S8
            green = (c - np.int32(55) * d - np.int32(136) * e + np.int32(128)) >> S8
            blue = (c + np.int32(541) * d + np.int32(128)) >> S8
            out[y, x, 0] = np.uint8(min(max(red, np.int32(0)), BYTE))
            out[y, x, 1] = np.uint8(min(max(green, np.int32(0)), BYTE))
            out[y, x, 2] = np.uint8(min(max(blue, np.int32(0)), BYTE))


def to_rgb(planes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """yuv420p (height·3/2, width) in BT.709 limited range to sRGB bytes."""
    rows, width = planes.shape
    height = rows * 2 // 3
    quarter = (height // 2) * (width // 2)
    flat = planes.reshape(-1)
    u = flat[height * width : height * width + quarter].reshape(height // 2, width // 2)
    v = flat[height * width + quarter : height * width + 2 * quarter].reshape(height // 2, width // 2)
    out = np.empty((height, width, 3), np.uint8)
    _rgb_rows(planes[:height], u, v, out)
    return out


def to_yuv(packed: npt.NDArray[np.uint32], into: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]:
    """(h, w) of 0x__BBGGRR to yuv420p (height·3/2, width) in BT.709 limited range; sides must be even."""
    height, width = packed.shape
    out = np.empty((height * 3 // 2, width), np.uint8) if into is None else into
    flat = out.reshape(-1)
    quarter = (height // 2) * (width // 2)
    luma(packed, out[:height])
    chroma(
        packed,
        flat[height * width : height * width + quarter].reshape(height // 2, width // 2),
        flat[height * width + quarter :].reshape(height // 2, width // 2),
    )
    return out
