import { AuthByMail } from './auth-by-mail.tsx'

export const Component = () => <AuthByMail purpose="recovery" />
