import type { Interval } from './types.ts'

/** Initial objects. Restarting with other values updates them. Amounts are in cents. */
export type SandboxSeed = {
  products?: { id: string; name: string; description?: string; metadata?: Record<string, string> }[]
  prices?: { id: string; product: string; unitAmount: number; interval: Interval; lookupKey: string }[]
  /** An endpoint that receives all events. Without a secret, one is generated and stored. */
  webhook?: { url: string; secret?: string }
  /** The default portal. Without it, the portal requires a configuration, like a new account. */
  portal?: { products: { product: string; prices: string[] }[]; returnUrl: string }
}

export type StripeSandboxOptions = {
  /** SQLite file, or ':memory:' to keep nothing. */
  dataFile: string
  /** A loopback address. Default: localhost, which is both 127.0.0.1 and ::1. */
  host?: string
  /** 0 picks a free port. */
  port: number
  /** Base of checkout, portal and invoice URLs. Default: http://localhost:<port>. */
  publicUrl?: string
  /** Default: nothing. Applications can create their catalog through the API. */
  seed?: SandboxSeed
  /** Derives ids from this text, for reproducible runs. Secrets stay random. */
  idSeed?: string
  /** The wall clock in milliseconds. */
  now?: () => number
  /** Never receives keys, secrets or card numbers. */
  log?: (message: string, fields?: Record<string, unknown>) => void
}

export type StripeSandbox = {
  url: string
  port: number
  /** The seeded webhook endpoint's secret; null if none was seeded. */
  webhookSecret: string | null
  close(): Promise<void>
}
