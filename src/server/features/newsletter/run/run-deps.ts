import type { Deps } from '#server/deps.ts'

export type RunDeps = Pick<
  Deps,
  'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'newsletterMailer' | 'enqueue'
>
