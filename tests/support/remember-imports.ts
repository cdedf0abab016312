/** Loaded before anything else by every process that runs tests. */
import { rememberImports } from '#server/remember-imports.ts'

rememberImports()
