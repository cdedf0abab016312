type Tokens = { access_token: string; refresh_token: string }

/*
 * Which token the server has refused for good. Apart from the session's store, which loads the client that hears of it.
 * The token and not a flag: the client may speak of a session once more after it was refused, and that is no new one.
 */
let refused: string | null = null

/** Should the session of this access or refresh token go now, then because it has ended, and not because somebody here signed out. */
export function noteSessionEnded(token: string) {
  refused = token
}

export function forgetSessionEnded() {
  refused = null
}

/** Another session than the one that ended has nothing to do with it. */
export function noteSession({ access_token, refresh_token }: Tokens) {
  if (refused !== access_token && refused !== refresh_token) refused = null
}

export const sessionHasEnded = () => refused !== null
