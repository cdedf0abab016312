import type { Context } from 'hono'
import type { AuthDeps } from '../auth-deps.ts'
import { resolveRedirect } from './redirects.ts'

/** Where the link in the mail shall lead in the end: `redirect_to` of the query, if it is allowed. */
export const requestedRedirect = ({ config }: Pick<AuthDeps, 'config'>, c: Context): string =>
  resolveRedirect(
    { siteUrl: config.publicUrl, allowList: config.auth.redirectAllowList },
    c.req.query('redirect_to'),
    c.req.header('referer'),
  )
