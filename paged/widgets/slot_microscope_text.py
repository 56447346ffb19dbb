"""The words on the slot microscope, in both editions; the browser and the static page read the same table."""

TEXT = {
    "en": {
        "name": "Slot microscope",
        "position": "Position of the token",
        "block_size": "Block size (tokens)",
        "num_tokens": "Tokens in the sequence",
        "exact": "{label}, exact value",
        "shuffle": "Shuffle the blocks",
        "tokens_row": "Sequence",
        "tokens_note": "{tokens} tokens",
        "table_row": "Block table",
        "table_note": "entries: {entries}",
        "cache_row": "KV cache",
        "cache_note": "{blocks} blocks of {block_size}",
        "lens_row": "Block {block}",
        "lens_note": "slots {first} to {last}",
        "summary": "Position {position} lies in logical block {logical} at offset {offset}. The table says physical "
        "block {block}, so the slot is {slot}.",
    },
    "zh": {
        "name": "slot 显微镜",
        "position": "token 的位置",
        "block_size": "块大小（token）",
        "num_tokens": "序列长度（token）",
        "exact": "{label}，精确值",
        "shuffle": "打乱物理块",
        "tokens_row": "序列",
        "tokens_note": "{tokens} 个 token",
        "table_row": "块表",
        "table_note": "{entries} 项",
        "cache_row": "KV Cache",
        "cache_note": "{blocks} 块，每块 {block_size} 个",
        "lens_row": "物理块 {block}",
        "lens_note": "slot {first} 到 {last}",
        "summary": "位置 {position} 落在逻辑块 {logical}，块内偏移 {offset}。块表指向物理块 {block}，"
        "所以 slot 是 {slot}。",
    },
}
