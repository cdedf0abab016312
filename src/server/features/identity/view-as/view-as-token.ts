import { createHash, randomBytes } from 'node:crypto'

/** Unlike an access token it has no dots, so that every other API takes it for no token at all. */
const prefix = 'viewas_'

export const newViewAsToken = () => `${prefix}${randomBytes(32).toString('base64url')}`

export const hashViewAsToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** The token of an `Authorization` header; null for any other. */
export const readViewAsToken = (authorization: string | undefined): string | null =>
  /^Bearer +(viewas_[\w-]{43})$/i.exec(authorization ?? '')?.[1] ?? null
