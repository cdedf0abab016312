/** What the link of an invitation gives along to the page where a password is chosen: the first one, and where to go on. */
type InvitedState = { invitedTo: string }

export const invitedTo = (address: string): InvitedState => ({ invitedTo: address })

/** Where an invitation leads after the password; null for everybody who was not invited just now. */
export function invitationIn(state: unknown): string | null {
  const address = (state as Partial<InvitedState> | null)?.invitedTo
  if (typeof address !== 'string' || !address.startsWith('/')) return null
  return address === '/' ? '/portal' : address
}
