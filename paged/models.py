"""What some published models keep per token: the numbers that decide how many requests fit on a GPU.

Numbers are those of each model's config.json: `num_hidden_layers`, `num_attention_heads`, `num_key_value_heads`, and
`head_dim` (hidden_size / num_attention_heads where the file doesn't give it); `kv_lora_rank` and `qk_rope_head_dim` for
multi-head latent attention. `params` counts every weight once, tied embeddings too; it follows from the same files
(DeepSeek-V3: without the multi-token prediction module). `context` is `max_position_embeddings`, but the length that
the model card states where that entry is missing (Falcon-7B) or holds the size of a table (DeepSeek: 163,840).
"""

from dataclasses import dataclass

from paged.memory import bytes_per_token, mla_bytes_per_token
from paged.sizes import check_size


@dataclass(frozen=True)
class Model:
    """One published model. kv_heads and head_dim, or latent_dim and rope_dim (MLA); the other pair is 0."""

    name: str
    layers: int
    heads: int  # query heads
    kv_heads: int
    head_dim: int
    params: int
    context: int  # tokens
    source: str  # whose config.json it is, as owner/name
    latent_dim: int = 0
    rope_dim: int = 0
    weight_bits: int = 16  # of a weight as published

    @property
    def kind(self) -> str:
        """ "MHA", "GQA", "MQA" or "MLA": how the query heads share what is kept per token."""
        if self.latent_dim:
            return "MLA"
        if self.kv_heads == self.heads:
            return "MHA"
        return "MQA" if self.kv_heads == 1 else "GQA"

    def splits_over(self, num_gpus: int) -> bool:
        """Whether tensor parallelism can give each of num_gpus the same number of query heads and of KV heads.

        With more GPUs than KV heads each KV head is copied to equally many of them. vLLM 0.15 asserts the same
        (vllm/model_executor/models/llama.py, LlamaAttention). Raises ValueError for what is no int of at least 1.
        """
        check_size("num_gpus", num_gpus)
        if self.heads % num_gpus:
            return False
        return bool(self.latent_dim) or self.kv_heads % num_gpus == 0 or num_gpus % self.kv_heads == 0

    def kv_heads_on_each(self, num_gpus: int) -> int:
        """KV heads that each GPU keeps; 0 for MLA, whose latent belongs to all heads and is kept on every GPU.

        Raises ValueError when the heads cannot be split over num_gpus.
        """
        if not self.splits_over(num_gpus):
            shared = "" if self.latent_dim else f" and {self.kv_heads} KV heads"
            raise ValueError(f"{self.heads} query heads{shared} do not split over {num_gpus} GPUs")
        return 0 if self.latent_dim else max(1, self.kv_heads // num_gpus)

    def bytes_per_token(self, dtype_bytes: int, num_gpus: int = 1) -> int:
        """Bytes that a token takes on each of num_gpus; dtype_bytes is 2 for BF16, 1 for FP8.

        Raises ValueError when the heads cannot be split over num_gpus, and for what is no int of at least 1.
        """
        kv_heads = self.kv_heads_on_each(num_gpus)
        if self.latent_dim:
            return mla_bytes_per_token(self.layers, self.latent_dim, self.rope_dim, dtype_bytes)
        return bytes_per_token(self.layers, kv_heads, self.head_dim, dtype_bytes)


_TABLE = (
    Model("Llama-2-7B", 32, 32, 32, 128, 6_738_415_616, 4096, "meta-llama/Llama-2-7b-hf"),
    Model("Llama-2-13B", 40, 40, 40, 128, 13_015_864_320, 4096, "meta-llama/Llama-2-13b-hf"),
    Model("OPT-13B", 40, 40, 40, 128, 12_853_473_280, 2048, "facebook/opt-13b"),
    Model("Qwen2.5-3B", 36, 16, 2, 128, 3_085_938_688, 32_768, "Qwen/Qwen2.5-3B-Instruct"),
    Model("Qwen2.5-7B", 28, 28, 4, 128, 7_615_616_512, 32_768, "Qwen/Qwen2.5-7B-Instruct"),
    Model("Qwen2.5-72B", 80, 64, 8, 128, 72_706_203_648, 32_768, "Qwen/Qwen2.5-72B-Instruct"),
    Model("Llama-3.1-8B", 32, 32, 8, 128, 8_030_261_248, 131_072, "meta-llama/Llama-3.1-8B-Instruct"),
    Model("Llama-3.1-70B", 80, 64, 8, 128, 70_553_706_496, 131_072, "meta-llama/Llama-3.1-70B-Instruct"),
    Model("Mistral-7B-v0.3", 32, 32, 8, 128, 7_248_023_552, 32_768, "mistralai/Mistral-7B-Instruct-v0.3"),
    Model("Falcon-7B", 32, 71, 1, 64, 6_921_720_704, 2048, "tiiuae/falcon-7b"),
    Model("DeepSeek-V2-Lite", 27, 16, 0, 0, 15_706_484_224, 32_768, "deepseek-ai/DeepSeek-V2-Lite", 512, 64),
    Model("DeepSeek-V3", 61, 128, 0, 0, 671_026_419_200, 131_072, "deepseek-ai/DeepSeek-V3", 512, 64, weight_bits=8),
)

MODELS = {model.name: model for model in _TABLE}
