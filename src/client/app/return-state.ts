/** What a guard gives along when it leads to a page of signing in. It never travels in an address, so nobody else can set it. */
export type ReturnState = {
  from: string
  /** The address to begin with, where it is known. */
  email?: string
  /** They have not signed out: the session was gone. */
  ended?: boolean
}

/** Whether to say why they are asked again. */
export const sessionHadEnded = (state: unknown): boolean => (state as Partial<ReturnState> | null)?.ended === true

/** The address that the page they come from knows them by. */
export function knownEmail(state: unknown): string | undefined {
  const email = (state as Partial<ReturnState> | null)?.email
  return typeof email === 'string' ? email : undefined
}

/** Where the person was going before they were asked who they are. */
export function cameFrom(state: unknown, otherwise = '/portal'): string {
  const from = (state as Partial<ReturnState> | null)?.from
  return typeof from === 'string' && from.startsWith('/') && !from.startsWith('/auth') ? from : otherwise
}
