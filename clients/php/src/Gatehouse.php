<?php

declare(strict_types=1);

namespace Gatehouse;

/**
 * A client of a gateway: `$gatehouse->guests->list($event_id)` answers a page of guests.
 */
final class Gatehouse extends Resources
{
    /**
     * @param string $url the address of the gateway: `https://gatehouse.example.com`
     * @param string|null $token an API token, which is sent as a header. Partners and exhibitors, whose token is part of
     *     a path, need none
     * @param float $deadline how many seconds a request may take, with its retries
     */
    public function __construct(string $url, #[\SensitiveParameter] ?string $token = null, float $deadline = 60)
    {
        parent::__construct(new Transport($url, $token, $deadline));
    }
}
