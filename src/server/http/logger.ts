import pino from 'pino'
import type { Config } from '#server/config/config.ts'

export type Logger = pino.Logger

/** Members that may carry a secret are cut out wherever somebody logs them by mistake. */
const redact = {
  paths: ['password', 'token', 'access_token', 'refresh_token', 'authorization', 'secret', 'code', 'url'].flatMap(
    (name) => [name, `*.${name}`, `*.*.${name}`],
  ),
  censor: '[redacted]',
}

/** Structured logs, one JSON object a line, on standard output. */
export const createLogger = (level: Config['logLevel']): Logger =>
  pino({ level, redact, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
