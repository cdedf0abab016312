import { createHash, randomInt } from 'node:crypto'
import type { SecretBox } from '#server/config/secret-box.ts'

/** 32 characters that nobody takes for another: five bits each, forty for a code. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groupLength = 4

/** As it stands in the mail: "7KQ2-M0XD". */
export function newCode(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${group()}-${group()}`
}

/** As people type it: without the hyphen, in small letters, with an O for the nought. */
const normalize = (code: string) =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

/**
 * The link's token is the code under the server's key, so one row serves both and spending either spends both. It names
 * the invitation and not the owner, since a team may change hands.
 */
export const tokenOf = (secrets: SecretBox, invitation: { id: string; email: string }, code: string): string =>
  secrets.sign('team invitation', [invitation.id, invitation.email, normalize(code)].join('\n'))

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
