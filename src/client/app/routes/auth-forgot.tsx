import { RequestAuthEmail } from './request-auth-email.tsx'

export const Component = () => <RequestAuthEmail purpose="recovery" />
