import { createContext } from 'react'

/**
 * The publication's time zone (an IANA name), in which every time in the admin is shown. Null until it is known;
 * undefined outside of the admin, where readers see their own time.
 */
export const PublicationZone = createContext<string | null | undefined>(undefined)
