"""The embedded studio: painter, animator and evaluator that work offline on this machine."""
