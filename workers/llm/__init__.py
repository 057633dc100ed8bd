"""Language models behind one protocol: `ModelClient`. LiteLLM is imported on the first call, never before."""
