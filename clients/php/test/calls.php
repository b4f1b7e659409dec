<?php

declare(strict_types=1);

// Makes the calls that a test writes on standard input, and prints what each returns or throws.

use Gatehouse\Gatehouse;
use Gatehouse\GatehouseException;
use Gatehouse\Webhook;

require __DIR__ . '/autoload.php';

$given = json_decode(file_get_contents('php://stdin'), true, flags: JSON_THROW_ON_ERROR);
if (isset($given['webhook'])) {
    exit(json_encode(array_map(fn (array $each) => Webhook::isGenuine(...$each), $given['webhook'])));
}
$gatehouse = new Gatehouse($given['url'], $given['token'] ?? null, ...$given['options'] ?? []);
$results = [];
foreach ($given['calls'] as [$resource, $action, $arguments]) {
    try {
        $result = $gatehouse->$resource->$action(...$arguments);
        $file = is_string($result) ? strlen($result) . ' bytes' : null;
        $results[] = $file ?? ($result instanceof Generator ? iterator_to_array($result, false) : $result);
    } catch (GatehouseException $error) {
        $results[] = [
            'status' => $error->status,
            'code' => $error->kind,
            'errors' => (object) $error->errors,
            'codes' => (object) $error->codes,
            'reason' => $error->reason,
            'retry_after' => $error->retryAfter,
            'message' => $error->getMessage(),
        ];
    }
}
echo json_encode($results, JSON_THROW_ON_ERROR);
