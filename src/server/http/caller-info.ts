import { isIP } from 'node:net'

export type CallerInfo = { ip: string | null; userAgent: string | null }

/** Address and browser of a request, as they can be stored. */
export const callerInfo = (request: { clientAddress: string; userAgent: string | undefined }): CallerInfo => ({
  ip: storableAddress(request.clientAddress),
  userAgent: storableHeader(request.userAgent),
})

function storableAddress(address: string): string | null {
  const [ip = ''] = address.split('%')
  return isIP(ip) ? ip : null
}

const storableHeader = (value: string | undefined) => {
  const text = value?.replace(/[^\x20-\x7e]/g, '').slice(0, 300)
  return text ? text : null
}
