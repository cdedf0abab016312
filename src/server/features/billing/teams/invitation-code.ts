import { createHash, randomInt } from 'node:crypto'
import type { SecretBox } from '#server/config/secret-box.ts'

/** 32 characters that are hard to confuse: 5 bits each, 40 bits per code. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groupLength = 4

/** A new code, such as "7KQ2-M0XD". */
export function newCode(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${group()}-${group()}`
}

/** Accepts codes without the hyphen, in lower case, and with O for 0 or I and L for 1. */
const normalize = (code: string) =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

/**
 * Derives the link's token from the code, so one row serves both and using either uses up both. Bound to the invitation
 * and not to the owner, since a team can be transferred.
 */
export const tokenOf = (secrets: SecretBox, invitation: { id: string; email: string }, code: string): string =>
  secrets.sign('team invitation', [invitation.id, invitation.email, normalize(code)].join('\n'))

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
