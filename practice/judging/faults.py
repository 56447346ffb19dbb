"""What the guard of kernels says, in Chinese: it raises in English, beside the answer, where no language is known.

Patterns are tried in order, against all that follows the exception's name.
"""

import re

GUARD = ("MemoryFault", "HostRead", "NotTriton", "NotStored")
WORDS = {"reads": "读", "writes": "写"}
NO_TRITON = r"(\w+), line (\d+): `(.*)` is no Triton: "
IS_NO_TRITON = "{0} 第 {1} 行：`{2}` 不是 Triton："
OUTSIDE, IS_OUTSIDE = r"(reads|writes) (\d+) elements outside of every tensor", "{0}了 {1} 个不在任何张量里的元素"
CHINESE = {
    # MemoryFault
    r"reads (\d+) elements of (\w+) that no request owns, the first is (.+)": (
        "读了 {1} 里 {0} 个不属于任何请求的元素，第一个是 {2}"
    ),
    r"writes (\d+) elements of (\w+) that are not to be written, the first is (.+)": (
        "写了 {1} 里 {0} 个不该写的元素，第一个是 {2}"
    ),
    r"writes (\d+) elements into (\w+), an input": "往输入 {1} 里写了 {0} 个元素",
    OUTSIDE: IS_OUTSIDE,
    OUTSIDE + r", the first (\d+) before (\w+)": IS_OUTSIDE + "，第一个在 {3} 前面 {2} 个元素的地方",
    OUTSIDE + r", the first (\d+) past the end of (\w+)": IS_OUTSIDE + "，第一个超出 {3} 末尾 {2} 个元素",
    OUTSIDE + r", in the room between elements of (\w+)": IS_OUTSIDE + "，落在 {2} 的元素之间的空隙里",
    r"two programs, or two lanes of one, write different values into element (\d+) of (\w+): on a GPU .*": (
        "两个 program（或同一个 program 的两个 lane）往 {1} 的元素 {0} 写了不同的值：在 GPU 上，谁也不知道哪个会留下"
    ),
    r"two programs, or two lanes of one, write different values into (.+): on a GPU nobody knows which one stays": (
        "两个 program（或同一个 program 的两个 lane）往 {0} 写了不同的值：在 GPU 上，谁也不知道哪个会留下"
    ),
    r"(\d+) elements of (\w+) changed without a store of the kernel, the first is (.+)": (
        "{1} 里有 {0} 个元素变了，kernel 却没有写过，第一个是 {2}"
    ),
    r"(\w+), an input, was changed outside of a kernel": "输入 {0} 在 kernel 之外被改动了",
    r"(\w+), an input, was changed before the kernel started": "输入 {0} 在 kernel 启动之前被改动了",
    r"(\w+), into which a kernel has stored, was changed outside of a kernel": (
        "kernel 存过内容的 {0} 在 kernel 之外被改动了"
    ),
    r"the result lies in the memory of (\w+)": "结果放在了 {0} 的内存里",
    r"the result lies in the memory of an earlier result, which it changes": (
        "结果放在了前一次结果的内存里，前一次的结果被改掉了"
    ),
    r"a program reads element (\d+) of (\w+), into which another one of the same launch stores: .*": (
        "一个 program 读了 {1} 的元素 {0}，而同一次启动的另一个 program 在往那里写：在 GPU 上，谁也不知道哪个先到"
    ),
    r"a program reads (.+), into which another one of the same launch stores: .*": (
        "一个 program 读了 {0}，而同一次启动的另一个 program 在往那里写：在 GPU 上，谁也不知道哪个先到"
    ),
    # NotStored, HostRead
    r"the result is memory that nobody has written to: the call started no kernel": (
        "结果是一块谁也没写过的内存：这次调用一个 kernel 也没启动"
    ),
    r"the result is memory that nobody has written to: no kernel that ran stores into it": (
        "结果是一块谁也没写过的内存：跑过的 kernel 都没往里面写"
    ),
    r"torch \((.+)\) works on (\w+), into which a kernel has stored: .*": (
        "torch（{0}）用到了 kernel 存过内容的 {1}：调用返回之前，主机看不到里面的内容，剩下的活也要由 kernel 来干"
    ),
    # NotTriton
    NO_TRITON + r"the compiler knows no function within a function": IS_NO_TRITON + "编译器不认识函数里的函数",
    NO_TRITON + r"the compiler knows no (\w+)": IS_NO_TRITON + "编译器不认识 {3}",
    NO_TRITON + r"the compiler does not know `(.+)`": IS_NO_TRITON + "编译器不认识 `{3}`",
    NO_TRITON + r"only a name can be assigned to": IS_NO_TRITON + "只能给一个名字赋值",
    NO_TRITON + r"it can only be called": IS_NO_TRITON + "它只能被调用",
    NO_TRITON + r"no value of Triton has `(.+)`": IS_NO_TRITON + "Triton 的值没有 `{3}`",
    NO_TRITON + r"Triton's language has no `(.+)` there": IS_NO_TRITON + "Triton 语言在这里没有 `{3}`",
    NO_TRITON + r"of the file, a kernel sees other kernels and tl\.constexpr\(…\) only, and `(.+)` is a module": (
        IS_NO_TRITON + "文件里的东西，kernel 只能用别的 kernel 和 tl.constexpr(…)，而 `{3}` 是一个模块"
    ),
    NO_TRITON + r"of the file, a kernel sees other kernels and tl\.constexpr\(…\) only, and `(.+)` is of type (.+)": (
        IS_NO_TRITON + "文件里的东西，kernel 只能用别的 kernel 和 tl.constexpr(…)，而 `{3}` 的类型是 {4}"
    ),
    r"(\w+) is given (\w+), of type (.+), which is no value of Triton": (
        "传给 {0} 的 {1} 类型是 {2}，不是 Triton 的值"
    ),
    r"(\w+) has a default of (.+), which is no value of Triton": "{0} 的默认值 {1} 不是 Triton 的值",
    r"the source of a kernel, (.+), cannot be read: (.*)": "读不到 kernel {0} 的源代码：{1}",
    r"the source of (.+) is that of another function": "{0} 的源代码是另一个函数的",
    r"a kernel is made of (.+) and (.+), not of a function alone": "kernel 应当只由一个函数做成，这里是 {0} 和 {1}",
    r"(\w+) has names that are not those of a file": "{0} 里的名字不是一个文件里的名字",
}


def told(said: str, lang: str) -> str:
    """`said`, "kind of the exception: text", in the language where the guard said it; anything else as it is."""
    kind, _, text = said.partition(": ")
    if lang == "zh" and kind in GUARD:
        for pattern, chinese in CHINESE.items():
            if found := re.fullmatch(pattern, text, re.DOTALL):
                return f"{kind}: {chinese.format(*(WORDS.get(part, part) for part in found.groups()))}"
    return said
