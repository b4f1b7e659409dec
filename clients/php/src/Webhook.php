<?php

declare(strict_types=1);

namespace Gatehouse;

/** Requests of webhooks. */
final class Webhook
{
    /** How many seconds old a request may be, or ahead. */
    private const TOLERANCE = 300;

    /**
     * Whether a webhook's request comes from Gatehouse and is not an old one.
     *
     * @param string $secret the account's, from `$gatehouse->webhook_secrets->read()`
     * @param array<string, string> $headers as `getallheaders()` returns them
     * @param string $body the request's as it came: `file_get_contents('php://input')`
     */
    public static function isGenuine(#[\SensitiveParameter] string $secret, array $headers, string $body): bool
    {
        $given = array_change_key_case($headers);
        $stamp = $given['webhook-timestamp'] ?? '';
        if (!preg_match('/^\d+$/', $stamp) || abs(time() - (int) $stamp) >= self::TOLERANCE) {
            return false;
        }
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
        $signed = ($given['webhook-id'] ?? '') . ".$stamp.$body";
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
        $isGenuine = false;
        // For a day after a new secret was made, the old one signs too.
        foreach (explode(' ', $given['webhook-signature'] ?? '') as $signature) {
            $isGenuine = hash_equals($expected, $signature) || $isGenuine;
        }
        return $isGenuine;
    }
}
