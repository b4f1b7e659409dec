<?php

declare(strict_types=1);

namespace Gatehouse;

/** Sends requests to a gateway, again where that does no harm. */
final class Transport
{
    /** Refusals have their codes only in problem+json. */
    private const ACCEPT = 'Accept: application/json, application/problem+json';
    /** Nothing was done, or it is unknown what was. 502 and 504 are a proxy's, while a gateway starts. */
    private const PASSING = [0, 429, 502, 503, 504];
    private const FIRST_PAUSE = 0.1;
    private const MAX_PAUSE = 5.0;

    private readonly \CurlHandle $curl;

    public function __construct(
        private readonly string $url,
        #[\SensitiveParameter] private readonly ?string $token,
        private readonly float $deadline,
    ) {
        // One handle keeps its connection.
        $this->curl = curl_init();
    }

    /**
     * A body as JSON. PHP's empty array is an object there, or a list.
     *
     * @param array<mixed> $body
     */
    public static function json(array $body, bool $isList = false): string
    {
        return json_encode($body === [] && !$isList ? new \stdClass() : $body, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
    }

    /**
     * The answer as an array; null if it is empty.
     *
     * @param array<string, mixed> $query
     * @throws GatehouseException
     */
    public function send(
        string $method,
        string $path,
        array $query = [],
        ?string $content = null,
        string $contentType = 'application/json',
        ?string $key = null,
        ?string $prefer = null,
    ): ?array {
        [$status, $text, $retryAfter] = $this->answered($method, $path, $query, $content, $contentType, $key, $prefer);
        $parsed = json_decode($text, true);
        // Of a batch some items are refused, each in its place. It is an answer like another.
        if ($status < 300 || (is_array($parsed) && $parsed !== [] && array_is_list($parsed))) {
            return $parsed;
        }
        throw new GatehouseException($status, $parsed, $retryAfter);
    }

    /**
     * The bytes of a file.
     *
     * @param array<string, mixed> $query
     * @throws GatehouseException
     */
    public function file(string $method, string $path, array $query = []): string
    {
        [$status, $text, $retryAfter] = $this->answered($method, $path, $query);
        return $status < 300 ? $text : throw new GatehouseException($status, json_decode($text, true), $retryAfter);
    }

    /**
     * The items of a list, page after page, until one is empty.
     *
     * @param array<string, mixed> $query
     */
    public function pages(string $path, array $query): \Generator
    {
        for ($page = 1; $items = $this->send('GET', $path, [...$query, 'page' => $page]); $page++) {
            foreach ($items as $item) {
                yield $item;
            }
        }
    }

    /**
     * The last answer, when the deadline would be over before the next try.
     *
     * @param array<string, mixed> $query
     * @return array{int, string, int|null}
     */
    private function answered(
        string $method,
        string $path,
        array $query,
        ?string $content = null,
        string $contentType = 'application/json',
        ?string $key = null,
        ?string $prefer = null,
    ): array {
        $until = hrtime(true) / 1e9 + $this->deadline;
        $given = [
            'Authorization' => $this->token === null ? null : "Bearer $this->token",
            'Content-Type' => $content === null ? null : $contentType,
            'Idempotency-Key' => $method === 'POST' ? ($key ?? bin2hex(random_bytes(16))) : null,
            'Prefer' => $prefer,
        ];
        $headers = [self::ACCEPT, 'Expect:'];
        foreach (array_filter($given, fn ($value) => $value !== null) as $name => $value) {
            $headers[] = "$name: $value";
        }
        curl_reset($this->curl);
        $retryAfter = null;
        curl_setopt_array($this->curl, [
            CURLOPT_URL => rtrim($this->url, '/') . $path . self::queryOf($query),
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_USERAGENT => 'gatehouse-php/' . Version::VERSION,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$retryAfter): int {
                if (preg_match('/^retry-after:\s*(\d+)\s*$/i', $line, $found)) {
                    $retryAfter = (int) $found[1];
                }
                return strlen($line);
            },
        ]);
        if ($content !== null || $method === 'POST') {
            curl_setopt($this->curl, CURLOPT_POSTFIELDS, $content ?? '');
        }
        for ($pause = self::FIRST_PAUSE; ; $pause = min($pause * 2, self::MAX_PAUSE)) {
            $retryAfter = null;
            curl_setopt($this->curl, CURLOPT_TIMEOUT_MS, max(1, (int) (($until - hrtime(true) / 1e9) * 1000)));
            $text = curl_exec($this->curl);
            // A connection that breaks within an answer is no answer.
            $status = $text === false ? 0 : curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
            $isPassing = in_array($status, self::PASSING, true) || ($status === 409 && $retryAfter !== null);
            // With jitter, since many may wait for the same service.
            $wait = ($retryAfter ?? 0) + $pause * random_int(500, 1000) / 1000;
            if (!in_array($method, ['GET', 'POST'], true) || !$isPassing || hrtime(true) / 1e9 + $wait > $until) {
                return $status === 0
                    ? throw new GatehouseException(0, cause: curl_error($this->curl))
                    : [$status, (string) $text, $retryAfter];
            }
            usleep((int) ($wait * 1e6));
        }
    }

    /** @param array<string, mixed> $query */
    private static function queryOf(array $query): string
    {
        $pairs = [];
        foreach ($query as $name => $value) {
            foreach ($value === null ? [] : (array) $value as $each) {
                $text = is_bool($each) ? ($each ? 'true' : 'false') : (string) $each;
                $pairs[] = rawurlencode($name) . '=' . rawurlencode($text);
            }
        }
        return $pairs === [] ? '' : '?' . implode('&', $pairs);
    }
}
