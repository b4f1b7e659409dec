import { Fault, type FaultCode, faultStatuses } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf, messageSentences } from '@gatehouse/proto/declaring/messages.ts'
import type { Action } from '@gatehouse/proto/declaring/resource.ts'
import { errorDocument } from '@gatehouse/proto/formats/xml.ts'
import { problem } from '../http/answers.ts'
import { indented } from './make-examples.ts'
import type { OpenApiObject } from './schemas.ts'

/** The meaning of each refusal to a client. */
const meanings: Record<FaultCode, string> = {
  malformed: 'The body cannot be read: it is not what its Content-Type says, or nested too deeply',
  unauthorized:
    'The secret in the path or the query is not valid, or the signature is wrong, or the token is that of a revoked device',
  forbidden: 'There is no token, it is unknown, or it has no right to do this',
  not_found: 'Nothing in the account has this id; what belongs to other accounts is not found either',
  not_acceptable: 'The path does not end in one of its formats',
  conflict:
    'The request conflicts with what is stored, or the first request with this Idempotency-Key is still running (then with Retry-After)',
  too_large: 'The body is larger than is allowed here',
  unsupported: 'The Content-Type of the body is not supported here',
  invalid: 'The request can be read, but fields of it are wrong: the answer names each of them',
  too_many: 'Too many requests, or too many bytes of bodies: wait for the seconds of Retry-After',
  unavailable: 'A service or a store did not answer in time: send the same request again after Retry-After',
}

/** The refusals of an action as responses, by status. */
export function refusals(action: Action): OpenApiObject {
  const post = action.route?.startsWith('POST ') ?? false
  const applies: Record<FaultCode, boolean> = {
    malformed: action.body !== undefined,
    unauthorized: action.secret !== undefined || action.scope === 'door',
    forbidden: action.secret === undefined,
    not_found: action.route?.includes(':') ?? false,
    not_acceptable: true,
    conflict: post || (action.route?.startsWith('DELETE ') ?? false),
    too_large: action.body !== undefined || action.upload !== undefined,
    unsupported: action.body !== undefined || action.upload !== undefined,
    // A batch has a 422 of its own, with the answer of each item.
    invalid:
      !action.batch && (post || action.body !== undefined || action.upload !== undefined || action.query !== undefined),
    too_many: true,
    unavailable: true,
  }
  return Object.fromEntries(
    (Object.keys(applies) as FaultCode[])
      .filter((code) => applies[code])
      .map((code) => [faultStatuses[code], { $ref: `#/components/responses/${code}` }]),
  )
}

/** The schemas of refusals. */
export const errorSchemas = {
  ApiError: {
    type: 'object',
    description: 'A refusal',
    properties: { error: { type: 'string', description: 'What is wrong, as a sentence' } },
    required: ['error'],
  },
  ValidationErrors: {
    type: 'object',
    description: 'The errors of each field',
    properties: {
      errors: { $ref: '#/components/schemas/FieldErrors' },
      codes: { $ref: '#/components/schemas/FieldCodes' },
    },
    required: ['errors'],
  },
  FieldErrors: {
    type: 'object',
    description: 'The errors of each field, as sentences that follow its name',
    additionalProperties: { type: 'array', items: { type: 'string' } },
  },
  FieldCodes: {
    type: 'object',
    description: 'The codes of each field, in the order of its errors; only with `Accept: application/problem+json`',
    additionalProperties: { type: 'array', items: { $ref: '#/components/schemas/CodedError' } },
  },
  CodedError: {
    type: 'object',
    description: 'An error as programs read it',
    properties: {
      code: { $ref: '#/components/schemas/ErrorCode' },
      values: { $ref: '#/components/schemas/ErrorValues' },
    },
    required: ['code'],
  },
  ErrorCode: {
    type: 'string',
    // Not an enum: generated clients may refuse the answers of a later version, which has further codes.
    'x-extensible-enum': Object.keys(messageSentences),
    description: `What is wrong; later versions may have further codes. With the sentences, in which \`{name}\` stands for one of the \`values\`:\n\n${codeList()}`,
  },
  ErrorValues: {
    type: 'object',
    description: 'The values in the sentence',
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
  ErrorSentences: {
    type: 'array',
    description: 'The errors as whole sentences',
    items: { type: 'string', xml: { name: 'error' } },
    xml: { name: 'errors', wrapped: true },
  },
  Problem: {
    type: 'object',
    description: 'RFC 9457',
    properties: {
      type: { type: 'string', description: '`about:blank`: the status says what kind of problem it is' },
      title: { type: 'string', description: 'The name of the status' },
      status: { type: 'integer', description: 'The status of the answer' },
      code: {
        type: 'string',
        'x-extensible-enum': Object.keys(faultStatuses),
        description: `The kind of refusal (${Object.keys(faultStatuses).join(', ')}), or the ErrorCode of what stands in the way`,
      },
      values: { $ref: '#/components/schemas/ErrorValues' },
      detail: { type: 'string', description: 'What is wrong, as a sentence' },
      errors: { $ref: '#/components/schemas/FieldErrors' },
      codes: { $ref: '#/components/schemas/FieldCodes' },
    },
    required: ['type', 'title', 'status', 'code', 'detail'],
  },
}

function codeList(): string {
  return Object.entries(messageSentences)
    .map(([code, sentence]) => `- \`${code}\`: ${sentence}`)
    .join('\n')
}

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/retry_after' } }
const rateLimit = {
  RateLimit: { $ref: '#/components/headers/rate_limits' },
  'RateLimit-Policy': { $ref: '#/components/headers/rate_limit_policy' },
  'RateLimit-Limit': { $ref: '#/components/headers/rate_limit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/rate_limit_remaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/rate_limit_reset' },
}

/** The responses to which operations refer, by fault code, with an example in each format. */
export function errorResponses(): OpenApiObject {
  return Object.fromEntries(
    (Object.keys(faultStatuses) as FaultCode[]).map((code) => [
      code,
      {
        description: meanings[code],
        ...((code === 'unavailable' || code === 'conflict') && { headers: retryAfter }),
        ...(code === 'too_many' && { headers: { ...retryAfter, ...rateLimit } }),
        content: refusalContent(code),
      },
    ]),
  )
}

function refusalContent(code: FaultCode): OpenApiObject {
  const errors = code === 'invalid' ? { last_name: [messageOf('blank')] } : undefined
  const fault = new Fault(code, undefined, errors)
  const media = (schema: string, example: unknown): OpenApiObject => ({
    schema: { $ref: `#/components/schemas/${schema}` },
    example,
  })
  return {
    'application/json': errors ? media('ValidationErrors', { errors }) : media('ApiError', { error: fault.message }),
    'application/xml': {
      schema: {
        type: 'string',
        contentMediaType: 'application/xml',
        contentSchema: { $ref: '#/components/schemas/ErrorSentences' },
      },
      example: indented(errorDocument(fault.message, errors)),
    },
    'application/problem+json': media('Problem', problem(fault)),
  }
}
