"""Makes the calls that a test writes on standard input, and prints what each returns or raises."""

import json
import sys
from pathlib import Path
from types import GeneratorType

sys.path.insert(0, str(Path(__file__).parent.parent))
from gatehouse import Gatehouse, GatehouseError, is_genuine

given = json.load(sys.stdin)
if "webhook" in given:
    print(json.dumps([is_genuine(**each) for each in given["webhook"]]))
    sys.exit()
gatehouse = Gatehouse(given["url"], given.get("token"), **given.get("options", {}))
results = []
for resource, action, arguments in given["calls"]:
    try:
        result = getattr(getattr(gatehouse, resource), action)(**arguments)
        results.append(list(result) if isinstance(result, GeneratorType) else result)
    except GatehouseError as error:
        results.append({**vars(error), "message": str(error)})
print(json.dumps(results, default=lambda file: f"{len(file)} bytes"))
