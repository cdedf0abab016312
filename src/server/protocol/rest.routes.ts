import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import type { ReadPrincipal } from '#server/http/principal.ts'
import type { Resource } from './define-resource.ts'

export const restRoutes = (
  _deps: Pick<Deps, 'database'> & { readPrincipal: ReadPrincipal },
  _resources: readonly Resource[],
) => new Hono<AppEnv>()
