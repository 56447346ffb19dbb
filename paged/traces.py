"""Request lengths seen in production, as quantiles: how many tokens a request of the Azure traces of 2023 has in total.

Facts from the Azure LLM inference trace 2023 (Microsoft, AzurePublicDataset, CC BY 4.0; Patel et al., "Splitwise:
Efficient Generative LLM Inference Using Phase Splitting", ISCA 2024). Prompt and output are added up per request:
19,366 requests of a conversation service and 8,819 of a code completion service.
"""

from bisect import bisect_right

# Every percent, and finer where the tail grows long.
PROBABILITIES = (*(percent / 100 for percent in range(100)), 0.995, 0.999, 0.9999, 1.0)


def _tokens(table: str) -> tuple[int, ...]:
    return tuple(map(int, table.split()))


# One row holds ten percentiles: 0 (the shortest request) to 9, 10 to 19, ...; the last has 99.5, 99.9, 99.99 and 100.
TRACES = {
    "azure-conv-2023": _tokens("""
           64   133   197   256   280   296   314   329   342   359
          368   381   392   414   425   434   443   450   458   465
          473   478   482   486   489   491   495   497   500   503
          506   509   513   517   522   528   534   544   556   587
          800   958  1024  1127  1240  1319  1362  1380  1393  1404
         1412  1419  1426  1432  1438  1444  1449  1454  1459  1465
         1469  1474  1479  1484  1489  1494  1499  1505  1510  1516
         1522  1528  1534  1542  1550  1558  1568  1580  1594  1610
         1628  1656  1694  1744  1837  1998  2136  2319  2483  2685
         2820  3376  4108  4119  4127  4136  4147  4162  4186  4259
         4915  6301  7766 14089
    """),
    "azure-code-2023": _tokens("""
           12    34    55    70    83    95   106   116   134   153
          167   185   199   217   238   263   287   316   354   388
          411   456   497   539   576   604   644   686   726   770
          798   841   876   908   932   965   994  1024  1050  1073
         1099  1128  1155  1197  1231  1281  1329  1373  1404  1448
         1493  1532  1591  1632  1673  1712  1750  1800  1846  1897
         1937  2000  2056  2102  2154  2188  2246  2303  2353  2417
         2455  2501  2568  2646  2700  2774  2840  2932  2998  3109
         3223  3339  3490  3621  3749  3957  4127  4349  4588  4788
         5208  5650  5981  6226  6600  7331  7442  7445  7449  7462
         7479  7566  7746  7841
    """),
}


def quantile(name: str, probability: float) -> int:
    """Tokens that the fraction `probability` of the trace's requests don't exceed, by linear interpolation.

    Raises ValueError for a probability outside 0..1.
    """
    if not 0 <= probability <= 1:
        raise ValueError(f"a probability is 0..1, got {probability}")
    tokens = TRACES[name]
    above = min(bisect_right(PROBABILITIES, probability), len(PROBABILITIES) - 1)
    below = above - 1
    share = (probability - PROBABILITIES[below]) / (PROBABILITIES[above] - PROBABILITIES[below])
    return round(tokens[below] + share * (tokens[above] - tokens[below]))
