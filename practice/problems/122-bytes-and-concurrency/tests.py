"""Hidden tests of 122: one call a step, on real models and on budgets that end just before or after a request."""

from practice.judging import Group, Op, Plan, plans

from . import oracle

GIB = 1 << 30
QWEN_2_5_7B = 57344
CHAPTER = 55 * GIB  # 80 less 15 for the weights and 10 kept
PRICES = [2, 1, 3, 7, 56, 28672, QWEN_2_5_7B, 70272, 131072]


class Models:
    """What steps ask about one token: attention with many, few and one KV head, and with a latent."""

    def __init__(self, answer, plan):
        self.answer, self.layers, self.dim, self.bytes = answer, plan.num_layers, plan.head_dim, plan.dtype_bytes

    def ask(self, num_kv_heads):
        self.answer.count("calls_with_fp8", int(self.bytes == 1))
        self.answer.bytes_per_token(self.layers, num_kv_heads, self.dim, self.bytes)

    def step_multi_head(self, op):
        self.ask(32)

    def step_grouped_query(self, op):
        self.ask((4, 8, 2)[op.pick % 3])

    def step_multi_query(self, op):
        self.ask(1)

    def step_any(self, op):
        self.ask(1 + op.pick % 40)

    def step_latent(self, op):
        """Latent and rotary part differ, so that each can be told from the other."""
        self.answer.count("calls_with_fp8", int(self.bytes == 1))
        latent, rope = (512, 256, 6, 32)[op.pick % 4], (64, 32, 2, 128)[op.amount % 4]
        self.answer.mla_bytes_per_token(self.layers, latent, rope, self.bytes)


class Budgets:
    """What steps ask about one budget. Lengths lie around the ends of blocks, budgets around whole requests."""

    def __init__(self, answer, plan):
        self.answer, self.price, self.block_size, self.high = answer, plan.price, plan.block_size, plan.high

    def ask(self, budget, tokens):
        self.answer.count("requests_that_fill_their_blocks", int(tokens % self.block_size == 0))
        self.answer.count("budgets_beyond_2_to_53", int(budget > 1 << 53))
        self.answer.max_requests(budget, tokens, self.price, self.block_size)

    def tokens(self, op):
        """Whole blocks, one token more, one less, or anything in between."""
        whole = (1 + op.amount % 5) * self.block_size
        return max(1, whole + (0, 1, -1, 1 + op.pick % self.block_size)[op.amount // 5 % 4])

    def cost(self, tokens):
        return -(-tokens // self.block_size) * self.block_size * self.price

    def requests(self, op, tokens):
        """A number of requests; with `high`, as many as make a budget of about so many bytes."""
        few = op.pick % 9
        return few + self.high // self.cost(tokens)

    def step_exact(self, op):
        tokens = self.tokens(op)
        self.ask(self.requests(op, tokens) * self.cost(tokens), tokens)

    def step_one_byte_short(self, op):
        tokens = self.tokens(op)
        self.ask((1 + self.requests(op, tokens)) * self.cost(tokens) - 1, tokens)

    def step_one_byte_over(self, op):
        tokens = self.tokens(op)
        self.ask(self.requests(op, tokens) * self.cost(tokens) + 1, tokens)

    def step_some_left(self, op):
        """Part of a request is left over: sometimes less than half, sometimes more."""
        tokens = self.tokens(op)
        cost = self.cost(tokens)
        self.ask(self.requests(op, tokens) * cost + (1 + op.amount % 4) * cost // 5, tokens)

    def step_nothing(self, op):
        self.ask(0, self.tokens(op))

    def step_given(self, op):
        """The plan's own numbers: a length of op.pick tokens, and `high` for the budget."""
        self.ask(self.high, max(1, op.pick))  # a plan that is made short may say 0

    def step_reserved(self, op):
        """A length that is reserved for every request, however short it is in the end."""
        tokens = (32768, 4096, 131072)[op.pick % 3]
        self.ask(op.amount * GIB + self.high, tokens)


def play_models(answer, plan):
    steps = Models(answer, plan)
    for op in plan.ops:
        getattr(steps, f"step_{op.kind}")(op)


def play_budgets(answer, plan):
    steps = Budgets(answer, plan)
    for op in plan.ops:
        getattr(steps, f"step_{op.kind}")(op)


def _models(kinds):
    """Qwen2.5-7B, Llama-3.1-8B, DeepSeek-V3 and a small one, in BF16, FP8 and FP32."""
    for num_layers, head_dim in ((28, 128), (32, 128), (61, 192), (2, 3)):
        for dtype_bytes in (2, 1, 4):
            choices = {"num_layers": num_layers, "head_dim": head_dim, "dtype_bytes": dtype_bytes}
            yield Plan(choices, [Op(kind, 0, 0) for kind in kinds])


def _every_length():
    """Every length up to three blocks and one more; then every budget up to four requests."""
    for block_size in (4, 1, 5):
        for number in range(1, 3 * block_size + 2):
            yield Plan({"price": 2, "block_size": block_size, "high": 100}, [Op("given", number, 0)])
    for budget in range(65):
        yield Plan({"price": 2, "block_size": 4, "high": budget}, [Op("given", 5, 0)])


def _chapter():
    """Qwen2.5-7B on 80 GiB, paged at the average length and reserved at the longest, in BF16 and in FP8."""
    for tokens in (3000, 32768):
        for price in (QWEN_2_5_7B, QWEN_2_5_7B // 2):
            yield Plan({"price": price, "block_size": 16, "high": CHAPTER}, [Op("given", tokens, 0)])


def _large():
    """2**60 bytes, and one byte either way: no float can tell these apart."""
    for price, block_size in ((64, 16), (QWEN_2_5_7B, 16), (1, 1), (7, 3)):
        for kind in ("exact", "one_byte_short", "one_byte_over"):
            yield Plan({"price": price, "block_size": block_size, "high": 1 << 60}, [Op(kind, 3, 0)])


BUDGETS = {"exact": 3, "one_byte_short": 3, "one_byte_over": 2, "some_left": 3, "nothing": 1, "reserved": 1}
MODELS = {"num_layers": [2, 28, 32, 61, 1, 80], "head_dim": [3, 128, 64, 192, 1], "dtype_bytes": [2, 1, 4]}
BLOCK_SIZES = [4, 2, 16, 3, 1, 8, 5, 64, 256]

GROUPS = [
    Group(
        name="one_token",
        title={"en": "bytes_per_token: many, few and one KV head", "zh": "bytes_per_token：KV 头多、少、只有一个"},
        points=25,
        play=play_models,
        oracle=oracle,
        plans=plans({"multi_head": 1, "grouped_query": 2, "multi_query": 1, "any": 3}, (1, 3), **MODELS),
        programs=25,
        always=list(_models(["multi_head", "grouped_query", "multi_query"])),
        hint={
            "en": "“One token”: every number that a token leaves behind, and how many bytes each of them takes.",
            "zh": "“一个 token”一节：一个 token 一共留下多少个数，每个数占几个字节。",
        },
    ),
    Group(
        name="requests",
        title={"en": "max_requests: whole blocks, whole requests", "zh": "max_requests：整块、整个请求"},
        points=30,
        play=play_budgets,
        oracle=oracle,
        plans=plans(BUDGETS, (1, 3), price=PRICES, block_size=BLOCK_SIZES, high=[0]),
        programs=40,
        always=[*_every_length(), *_chapter()],
        hint={
            "en": "“How many requests”: how many blocks one request takes, and what a part of a request is worth.",
            "zh": "“放得下多少请求”一节：一个请求占几块，剩下不够一个请求的部分怎么算。",
        },
    ),
    Group(
        name="large_budgets",
        title={"en": "max_requests: budgets up to 2**60 bytes and more", "zh": "max_requests：预算大到 2**60 字节以上"},
        points=15,
        play=play_budgets,
        oracle=oracle,
        plans=plans(BUDGETS, (1, 2), price=PRICES, block_size=BLOCK_SIZES, high=[1 << 60, 1 << 55, 1 << 61]),
        programs=25,
        always=list(_large()),
        hint={
            "en": "“How many requests”: the last paragraph, on exact counts.",
            "zh": "“放得下多少请求”一节的最后一段：结果必须精确。",
        },
    ),
    Group(
        name="latent",
        title={
            "en": "mla_bytes_per_token: one latent for all heads",
            "zh": "mla_bytes_per_token：所有头共用一个潜向量",
        },
        points=20,
        play=play_models,
        oracle=oracle,
        plans=plans({"latent": 1}, (1, 2), **MODELS),
        programs=20,
        always=list(_models(["latent"])),
        hint={
            "en": "“A latent instead”: what a layer keeps, and how often.",
            "zh": "“换成潜向量”一节：每层存什么，存几份。",
        },
    ),
]
