"""Registers the rows of a CSV file, as people write it with aiohttp.

Arguments: base URL, CSV file, requests in flight.
"""

import asyncio
import csv
import json
import sys

import aiohttp


async def work(session, rows, journal):
    for row in rows:
        async with session.post("/organizations", json=row) as response:
            record = await response.json()
            journal.write(json.dumps({"name": row["name"], "id": record["id"]}) + "\n")


async def main(url, path, concurrency):
    headers = {"Authorization": "Bearer bench"}
    connector = aiohttp.TCPConnector(limit=concurrency)
    with open(path, newline="") as file, open(path + ".aiohttp.jsonl", "w", buffering=1) as journal:
        rows = csv.DictReader(file)
        async with aiohttp.ClientSession(url, headers=headers, connector=connector) as session:
            await asyncio.gather(*(work(session, rows, journal) for _ in range(concurrency)))


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
