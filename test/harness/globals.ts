import { afterAll, vi } from 'vitest'

// Files share a process: what one of them puts in the place of a global, such as `navigator`, is gone with it.
afterAll(() => void vi.unstubAllGlobals())
