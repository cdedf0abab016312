import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv, Principal, ReadPrincipal } from '#server/http/principal.ts'

type CallerDeps = { readPrincipal: ReadPrincipal }

/**
 * Reads the caller of a request that requires a session.
 * @throws AppError no_authorization, bad_jwt, user_not_found, session_not_found, user_banned
 */
export async function readCaller(deps: CallerDeps, c: Context<AppEnv>): Promise<Principal> {
  const caller = await deps.readPrincipal(c.req.header('authorization'))
  c.set('caller', caller)
  return caller
}

/** After an error, checks whether the session has ended since `readCaller`, and reports that instead. */
export const explainEndedSession =
  (deps: CallerDeps): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    await next()
    if (c.error && c.res.status < 500 && c.get('caller')) await deps.readPrincipal(c.req.header('authorization'))
  }
