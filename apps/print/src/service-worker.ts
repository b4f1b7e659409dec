import { keepOnDevice } from '../../shared/src/installation/service-worker.ts'

keepOnDevice('print')
