import { serveResource } from '@gatehouse/proto/calls.ts'
import { type Running, type ServiceConfig, serviceSettings, startService } from '@gatehouse/proto/service.ts'
import { accountHandlers } from './accounts/handlers.ts'
import { AccountStore } from './accounts/store.ts'
import { apiTokenHandlers, TokenIssuer } from './api-tokens/handlers.ts'
import { ApiTokenStore } from './api-tokens/store.ts'
import { accounts, apiTokens } from './resources.ts'

/** The settings of the sso service. */
export const settings = serviceSettings

/** The sso service: accounts and their API tokens. */
export function start(config: ServiceConfig): Promise<Running> {
  return startService('sso', config, async ({ bus, store, retries }) => {
    const accountStore = new AccountStore(store.db)
    const tokenStore = new ApiTokenStore(store.db)
    await Promise.all([accountStore.prepare(), tokenStore.prepare()])

    const issuer = new TokenIssuer(tokenStore, bus)
    serveResource(bus, accounts, accountHandlers(accountStore, issuer), { retries })
    serveResource(bus, apiTokens, apiTokenHandlers(tokenStore, accountStore, issuer, bus), { retries })
    return {}
  })
}
