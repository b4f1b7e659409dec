<?php

declare(strict_types=1);

namespace Gatehouse;

/**
 * A request that was refused, or got no answer.
 *
 * @phpstan-import-type FieldErrors from Types
 * @phpstan-import-type FieldCodes from Types
 * @phpstan-import-type CodedError from Types
 */
final class GatehouseException extends \RuntimeException
{
    /** What each refusal means, by status. A status that is not here comes from something between the client and Gatehouse. */
    private const KINDS = [
        0 => 'unanswered',
        400 => 'malformed',
        401 => 'unauthorized',
        403 => 'forbidden',
        404 => 'not_found',
        406 => 'not_acceptable',
        409 => 'conflict',
        413 => 'too_large',
        415 => 'unsupported',
        422 => 'invalid',
        429 => 'too_many',
        503 => 'unavailable',
    ];

    /** The kind of the refusal: `not_found`; `unanswered` if no answer came in time. */
    public readonly string $kind;
    /** @var FieldErrors the wrong fields of a request that is `invalid`, otherwise empty */
    public readonly array $errors;
    /** @var FieldCodes the same as codes: `['last_name' => [['code' => 'blank']]]` */
    public readonly array $codes;
    /** @var CodedError|null what stands in the way of a request that is a `conflict`, where it has a code */
    public readonly ?array $reason;

    /**
     * @param int $status the HTTP status; 0 if there was no answer
     * @param int|null $retryAfter seconds after which another try may succeed, if the answer says so
     */
    public function __construct(
        public readonly int $status,
        mixed $body = null,
        public readonly ?int $retryAfter = null,
        ?string $cause = null,
    ) {
        $said = is_array($body) ? $body : [];
        $this->kind = self::KINDS[$status] ?? 'unknown';
        $this->errors = $said['errors'] ?? [];
        $this->codes = $said['codes'] ?? [];
        $isReason = isset($said['code']) && $said['code'] !== $this->kind;
        $this->reason = $isReason ? array_intersect_key($said, ['code' => true, 'values' => true]) : null;
        $wrong = [];
        foreach ($this->errors as $field => $messages) {
            $wrong[] = "$field " . implode(' and ', $messages);
        }
        $otherwise = $status === 0 ? "There was no answer: $cause" : "The answer is $status";
        parent::__construct(implode(', ', $wrong) ?: $said['detail'] ?? $said['error'] ?? $otherwise, $status);
    }
}
