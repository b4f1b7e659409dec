import { randomUUID } from 'node:crypto'
import type { InvitationMail } from '@gatehouse/partners/send-jobs'
import { integer, optionalText } from '@gatehouse/proto/declaring/fields.ts'
import { type ConfigOf, ConfigurationError } from '@gatehouse/proto/process/config.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { closeRedis, connectFor, type RedisConnection, redisWith } from '@gatehouse/proto/storage/redis.ts'

/** The settings of rates. Without them there is no limit: what a mail server and its receivers take only the operator knows. */
export const rateSettings = {
  redis_url: optionalText({ maxLength: 2_000, description: 'Where rates are counted; needed with a rate' }),
  mail_rate_per_partner: integer({
    default: 0,
    minimum: 0,
    maximum: 1_000,
    description: 'E-mails a second of one partner, of all processes together; 0: no limit',
  }),
  mail_rate_per_domain: integer({
    default: 0,
    minimum: 0,
    maximum: 100_000,
    description: 'E-mails a minute to one domain of recipients, of all processes together; 0: no limit',
  }),
}

/** The settings as read. */
export type RateConfig = ConfigOf<typeof rateSettings>

/** What may be sent now, and what may not. */
export interface RateDecision {
  going: InvitationMail[]
  /** E-mails to domains that have had their share, and how long each had better wait. */
  held: { _id: string; ms: number }[]
  /** How long the partner has to wait if it has had its share; its e-mails that are in neither list wait as long. */
  pauseMs: number
}

// A millisecond more than a second and a minute: times are whole ones, and the last may have begun almost one later than the first.
const PARTNER_WINDOW_MS = 1_001
const DOMAIN_WINDOW_MS = 60_001
/** E-mails to a domain are held no longer than this, since the rate may be raised. */
const MAX_HELD_MS = 600_000
/** The pause while Redis is away. */
const AWAY_MS = 1_000

interface RateCommands {
  admit(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number[]>
}

/*
 * KEYS: of the partner the times of its e-mails in the last second; of each domain those in the last minute, and the time until which places
 * are promised to e-mails that wait. ARGV: both limits, a name for this call, and for each e-mail the number of its domain.
 * Answers for each e-mail 0 if it may go, -ms until the partner may send, or ms for which it is held.
 * Windows slide: in no second, and in no minute, there are more. Held e-mails come back one after the other, as fast as the domain takes them;
 * if all came back at once, each of very many would be claimed again and again.
 */
const ADMIT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local perPartner, perDomain = tonumber(ARGV[1]), tonumber(ARGV[2])
local function wait(key, limit, window)
  if limit == 0 then return 0 end
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  if redis.call('ZCARD', key) < limit then return 0 end
  return tonumber(redis.call('ZRANGE', key, -limit, -limit, 'WITHSCORES')[2]) + window - now
end
local function take(key, limit, window, name)
  if limit == 0 then return end
  redis.call('ZADD', key, now, name)
  redis.call('PEXPIRE', key, window)
end
local answers = {}
for i = 4, #ARGV do
  local name, domain, promised = ARGV[3] .. ':' .. i, KEYS[2 * ARGV[i]], KEYS[2 * ARGV[i] + 1]
  local partnerWait = wait(KEYS[1], perPartner, ${PARTNER_WINDOW_MS})
  local domainWait = wait(domain, perDomain, ${DOMAIN_WINDOW_MS})
  if partnerWait > 0 then
    answers[#answers + 1] = -partnerWait
  elseif domainWait > 0 then
    local after = tonumber(redis.call('GET', promised) or '0') + math.ceil(${DOMAIN_WINDOW_MS} / perDomain)
    local at = math.min(math.max(after, now + domainWait), now + ${MAX_HELD_MS})
    redis.call('SET', promised, at, 'PX', at - now)
    answers[#answers + 1] = at - now
  else
    take(KEYS[1], perPartner, ${PARTNER_WINDOW_MS}, name)
    take(domain, perDomain, ${DOMAIN_WINDOW_MS}, name)
    answers[#answers + 1] = 0
  end
end
return answers`

/** How fast e-mails go, by partner and by domain of their recipients: counted in Redis, for all processes of the service together. */
export class Rates {
  readonly #redis: (RedisConnection & RateCommands) | undefined
  readonly #limits: [perPartner: number, perDomain: number]
  readonly #namespace: string
  readonly #log: Log
  #awayUntil = 0

  /** Throws one sentence if a rate is set without Redis. */
  constructor(config: RateConfig, namespace: string, log: Log) {
    const { redis_url, mail_rate_per_partner: perPartner, mail_rate_per_domain: perDomain } = config
    this.#limits = [perPartner, perDomain]
    this.#namespace = namespace
    this.#log = log
    if (perPartner === 0 && perDomain === 0) return
    if (!redis_url) throw new ConfigurationError('MAIL_RATE_PER_PARTNER and MAIL_RATE_PER_DOMAIN need REDIS_URL')
    this.#redis = redisWith<RateCommands>(redis_url, { admit: { lua: ADMIT } }, log)
  }

  /** Connects in the background. */
  async connect(): Promise<void> {
    if (this.#redis) await connectFor(this.#redis)
  }

  close(): void {
    if (this.#redis) closeRedis(this.#redis)
  }

  /** How long jobs had better wait since Redis is away, in ms. */
  get awayMs(): number {
    return Math.max(0, this.#awayUntil - performance.now())
  }

  /**
   * Counts those of a partner's e-mails that may go now. While Redis is away all wait: a rate is set where more would do harm, and e-mails can
   * wait.
   */
  async admit(partner_id: string, mails: InvitationMail[]): Promise<RateDecision> {
    if (!this.#redis) return { going: mails, held: [], pauseMs: 0 }
    const domains = [...new Set(mails.map(domainOf))]
    // A hash tag, so that one script reaches all keys in a cluster.
    const key = (name: string) => `${this.#namespace}:{mail}:${name}`
    const keys = [
      key(`partner:${partner_id}`),
      ...domains.flatMap((domain) => [key(`domain:${domain}`), key(`promised:${domain}`)]),
    ]
    const asked = mails.map((mail) => domains.indexOf(domainOf(mail)) + 1)
    try {
      const answers = await this.#redis.admit(keys.length, ...keys, ...this.#limits, randomUUID(), ...asked)
      const waits = mails.map((mail, index) => ({ mail, ms: answers[index] ?? 0 }))
      return {
        going: waits.flatMap(({ mail, ms }) => (ms === 0 ? [mail] : [])),
        held: waits.flatMap(({ mail, ms }) => (ms > 0 ? [{ _id: mail._id, ms }] : [])),
        pauseMs: Math.max(0, ...answers.map((ms) => -ms)),
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot count rates; e-mails are waiting')
      this.#awayUntil = performance.now() + AWAY_MS
      return { going: [], held: [], pauseMs: AWAY_MS }
    }
  }
}

function domainOf({ to }: InvitationMail): string {
  return to.slice(to.lastIndexOf('@') + 1)
}
