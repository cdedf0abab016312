import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import type { ReadPrincipal } from '#server/http/principal.ts'

export const authRoutes = (_deps: Deps & { readPrincipal: ReadPrincipal }) => new Hono<AppEnv>()
