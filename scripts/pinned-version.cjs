/** Makes npm choose packages for the pinned Node, which runs them, instead of the machine's, which runs only npm. */
Object.defineProperty(process, 'version', { value: 'v24.21.0' })
