import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'

export const stripeWebhookRoutes = (_deps: Deps) => new Hono<AppEnv>()
