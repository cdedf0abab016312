import type { Hono } from 'hono'
import { sandboxMessageRoutes } from '#server/features/operations/sandbox-inbox/sandbox-inbox.routes.ts'
import type { Config } from './config/config.ts'
import type { AppEnv } from './http/principal.ts'
import type { AnyJob } from './jobs/jobs.ts'
import { createSmsJob } from './jobs/sms-job.ts'
import { createSmsGateway, createSmsOutbox } from './sms/sms-gateway.ts'

/** Creates the job that sends text messages, if they are configured, and the sandbox's page that shows them. */
export function openSms(config: Config, clock: () => Date): { smsJobs: AnyJob[]; messagePages: Hono<AppEnv>[] } {
  switch (config.sms.kind) {
    case 'off':
      return { smsJobs: [], messagePages: [] }
    case 'gateway':
      return { smsJobs: [createSmsJob(createSmsGateway(config.sms), clock)], messagePages: [] }
    case 'outbox': {
      const outbox = createSmsOutbox(clock)
      return { smsJobs: [createSmsJob(outbox, clock)], messagePages: [sandboxMessageRoutes(outbox, config)] }
    }
  }
}
