import pino from 'pino'
import type { Config } from '#server/config/config.ts'
import { loggableError } from './loggable-error.ts'

export type Logger = pino.Logger

/** Members that may carry a secret are cut out wherever somebody logs them by mistake. */
const redact = {
  paths: ['password', 'token', 'access_token', 'refresh_token', 'authorization', 'secret', 'code', 'url'].flatMap(
    (name) => [name, `*.${name}`, `*.*.${name}`],
  ),
  censor: '[redacted]',
}

/** Structured logs, one JSON object a line, on standard output. */
export const createLogger = (level: Config['logLevel'], destination?: pino.DestinationStream): Logger =>
  pino(
    { level, redact, serializers: { err: loggableError }, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    destination ?? pino.destination(1),
  )
