import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import type { MailReport } from './mail-report.ts'
import { takeReports } from './take-reports.ts'
import { type Sighting, takeSightings } from './take-sightings.ts'
import { trackingRoutes } from './tracking.routes.ts'
import { fetchText } from './webhooks/fetch-text.ts'
import { mailWebhookRoutes } from './webhooks/mail-webhook.routes.ts'
import type { FetchText } from './webhooks/sns-message.ts'
import { writeTogether } from './write-together.ts'

/** What becomes of mails after they have left, as others tell us over HTTP. Many at once are written together. */
export function deliverabilityRoutes(deps: Deps & { fetchText?: FetchText }) {
  const reports = writeTogether<MailReport>((items) => takeReports(deps, items))
  const sightings = writeTogether<Sighting>((items) => takeSightings(deps, items))
  return new Hono<AppEnv>()
    .route('/', mailWebhookRoutes({ fetchText, ...deps, takeReports: reports }))
    .route('/', trackingRoutes({ ...deps, takeSightings: sightings }))
}
