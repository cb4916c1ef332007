"""Makes the files of this folder, by pyarrow 26: tables of five rows with pages of both versions."""

import pyarrow
import pyarrow.parquet

table = pyarrow.table({
    "y": [0.5, -1.0, 2.0, 3.5, 1e10],
    "x[0]": pyarrow.array([7, 7, 7, 1, 2], pyarrow.int32()),
    "x[1]": pyarrow.array([9007199254740991, -1, 0, 1, 2], pyarrow.int64()),
    "k": ["ann", "bob", "ann", "ann", "čeněk"],
    "is_new": [True, False, False, True, True],
    "gap": pyarrow.array([1, None, 3, 4, None], pyarrow.int64()),
})

for version, compression, dictionary in [("1.0", "snappy", True), ("2.0", "snappy", True), ("2.0", "none", False), ("1.0", "gzip", True), ("2.0", "gzip", False), ("1.0", "zstd", True)]:
    name = f"pages-{version[0]}-{compression}.parquet"
    pyarrow.parquet.write_table(
        table,
        name,
        data_page_version=version,
        compression=compression,
        use_dictionary=dictionary,
        row_group_size=3,
        store_schema=False,
        write_statistics=False,
    )
