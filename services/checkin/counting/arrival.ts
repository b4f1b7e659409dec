export { isApart } from '../check-ins/store.ts'
