import pino from 'pino'
import type { Config } from '#server/config/config.ts'
import { loggableError } from './loggable-error.ts'

export type Logger = pino.Logger

/** Redacts keys that may contain secrets. */
const redact = {
  paths: ['password', 'token', 'access_token', 'refresh_token', 'authorization', 'secret', 'code', 'url'].flatMap(
    (name) => [name, `*.${name}`, `*.*.${name}`],
  ),
  censor: '[redacted]',
}

/** Logs one JSON object per line to standard output. */
export const createLogger = (level: Config['logLevel'], destination?: pino.DestinationStream): Logger =>
  pino(
    { level, redact, serializers: { err: loggableError }, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    destination ?? pino.destination(1),
  )
