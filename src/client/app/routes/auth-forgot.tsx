import { AuthByEmail } from './auth-by-email.tsx'

export const Component = () => <AuthByEmail purpose="recovery" />
