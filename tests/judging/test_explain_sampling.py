"""What 139 says of a state that breaks a rule is true of that state."""

from practice.judging import catalogue

explain = catalogue.load_tests(catalogue.find("139").folder).explain


def state(ref_cnt, copies, **tables):
    fields = {"pool.ref_cnt": ref_cnt, "pool.copies": copies}
    return fields | {f"{name}.block_table": table for name, table in tables.items()}


def test_a_copy_for_every_owner_is_one_too_many():
    said = explain.thrift(state([0, 1, 1], [(0, 1), (0, 2)], a=[1], b=[2]))
    assert said["en"].startswith("copies needed: 1, made: 2; block 0 was copied for all of its owners")


def test_a_pair_whose_new_block_nobody_owns_is_not_called_a_copy():
    assert explain.thrift(state([0, 0, 0], [(0, 1)], a=[])) is None


def test_one_table_is_one_table():
    said = explain.owners(state([0, 0], [], a=[1]))
    assert said["en"] == "block 1 stands in 1 table, but ref_cnt[1] is 0"
    said = explain.owners(state([0, 1], [], a=[1], b=[1]))
    assert said["en"] == "block 1 stands in 2 tables, but ref_cnt[1] is 1"
