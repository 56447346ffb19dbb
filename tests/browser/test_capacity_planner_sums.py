"""The capacity planner's sums in JavaScript are those of the library, and its words those of the static page."""

import json
from itertools import islice, product
from random import Random

import pytest
from playwright.sync_api import Browser

from paged.gpus import GPUS
from paged.models import MODELS
from paged.widgets.assets import script
from paged.widgets.capacity_planner_plan import Setting, enough_gpus, plan
from paged.widgets.capacity_planner_text import TEXT
from paged.widgets.capacity_planner_widget import CapacityPlanner
from paged.widgets.capacity_planner_words import facts, note, summary, verdict

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

SUMS = (
    script("capacity_planner_plan", "capacity_planner_words")
    + """
const found = settings.map((setting) => {
  const plan = planFor(setting), text = texts[setting.lang];
  const facts = Object.entries(factsOf(setting, plan, text)).map(([name, [much, sum]]) => [text[name], much, sum]);
  const words = [summaryOf, verdict].map((say) => say(setting, plan, text));
  return { plan, enough: enoughGpus(setting), words: [...words, noteOf(setting, text)], facts };
});
return found;
"""
)


def settings(count: int) -> list[Setting]:
    """Every model on every GPU and number of GPUs, in a fixed random order, the rest drawn at random."""
    random = Random(0)
    tables = [*product(MODELS.values(), GPUS.values(), range(1, 9))]
    random.shuffle(tables)
    return [
        Setting(
            model,
            gpu,
            num_gpus,
            random.choice(["published", "bf16", "fp8", "int4"]),
            random.choice([None, None, None, 15, round(random.uniform(0, 200), 2)]),
            random.choice([0, 10, 0.1, round(random.uniform(0, 40), 1)]),
            random.choice(["bf16", "fp8"]),
            random.choice([1, 3000, random.randint(1, 131_072)]),
            random.choice([None, random.randint(1, 131_072)]),
            random.randint(1, 256),
        )
        for model, gpu, num_gpus in islice(tables, count)
    ]


def test_javascript_and_python_agree_on_every_number_and_word(browser: Browser) -> None:
    tight = Setting(MODELS["Llama-2-7B"], GPUS["A100 80GB"], 1, "bf16", 69, 10, "bf16", 3000, None, 16)
    drawn = [*settings(700), tight]
    shipped = CapacityPlanner("Qwen2.5-7B", "A100 80GB", lang="en")
    sent = [
        setting._asdict()
        | {"model": shipped._models[setting.model.name], "gpu": shipped._gpus[setting.gpu.name]}
        | {"lang": ("en", "zh")[n % 2]}
        for n, setting in enumerate(drawn)
    ]
    page = browser.new_page()
    page.set_content("")
    calls = f"(() => {{ const settings = {json.dumps(sent)}, texts = {json.dumps(TEXT)};\n{SUMS}\n}})()"
    found = page.evaluate(calls)
    page.close()
    for setting, there, values in zip(drawn, found, sent, strict=True):
        here, text = plan(setting), TEXT[values["lang"]]
        assert (setting, there["plan"]) == (setting, here._asdict())
        assert (setting, there["enough"]) == (setting, enough_gpus(setting))
        words = [summary(setting, here, text), verdict(setting, here, text), note(setting, text)]
        assert (setting, there["words"]) == (setting, words)
        assert (setting, there["facts"]) == (setting, [list(fact) for fact in facts(setting, here, text)])
    assert {plan(setting).problem for setting in drawn} == {"", "heads", "memory", "request"}
