import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'

export const downloadRoutes = (_deps: Deps) => new Hono<AppEnv>()
