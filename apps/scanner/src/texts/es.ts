import type { ScannerTexts } from './en.ts'

/** The texts of the scanner in Spanish. */
export const es: ScannerTexts = {
  title: 'Escáner',
  opening: 'Abriendo…',
  enrol_title: 'Configurar este dispositivo',
  enrol_text:
    'El organizador crea un dispositivo y recibe un código de ocho caracteres. Escríbalo aquí, o escanee su código QR con la cámara de este teléfono.',
  code: 'Código del dispositivo',
  enrol: 'Configurar',
  enrol_wrong:
    'Este código no es válido: está mal escrito, ya se usó o tiene más de diez minutos. Pida otro al organizador.',
  enrol_slow: 'Hubo demasiados códigos incorrectos. Inténtelo de nuevo en un minuto.',
  enrol_away: 'El servidor no responde. Compruebe la red e inténtelo de nuevo.',
  revoked_title: 'Este dispositivo fue revocado',
  revoked_text:
    'Ya no puede escanear y ha olvidado la lista de invitados. Para continuar, pida un código nuevo al organizador.',
  revoked_waiting:
    'Escaneos en este dispositivo que no están en el servidor: {count}. No se ha perdido nada: guárdelo todo en un archivo y déselo al organizador.',
  other_waiting:
    'Escaneos que esperan aquí, hechos con un código anterior: {count}. Guárdelo todo en un archivo y déselo al organizador.',
  save_scans: 'Guardar los escaneos en un archivo',
  point_title: '¿Dónde escanea?',
  point_none: 'No hay punto de control para este dispositivo. Pregunte al organizador.',
  change_point: 'Cambiar el punto de control',
  online: 'En línea',
  offline: 'Sin conexión',
  waiting: '{count} en espera',
  conflicts: 'Diferencias ({count})',
  conflicts_title: 'El servidor dice otra cosa',
  conflicts_text:
    'Este dispositivo decidió estos escaneos por sí mismo, y el servidor habría decidido otra cosa. Avise al organizador.',
  conflict_in: 'Entró aquí, pero el servidor dice: {status}',
  conflict_out: 'Fue rechazado aquí, pero puede entrar',
  conflict_problem: 'No está registrado: {problem}',
  conflict_entered: 'Entrada anterior en {point}: {time}',
  back: 'Volver a escanear',
  ready: 'Listo para escanear',
  camera_start: 'Encender la cámara',
  camera_stop: 'Apagar la cámara',
  camera_denied:
    'La cámara no está permitida. Toque el símbolo junto a la dirección de esta página, permita la cámara y enciéndala de nuevo.',
  camera_none:
    'No se encontró ninguna cámara. Conecte una y enciéndala de nuevo, o escriba el código o busque al invitado más abajo.',
  camera_busy: 'Otra aplicación o página está usando la cámara. Ciérrela y encienda la cámara de nuevo.',
  insecure: 'La cámara solo funciona en páginas con https. Pida la dirección https al organizador y ábrala.',
  type_code: 'Escribir un código',
  check_in: 'Registrar',
  search: 'Buscar por nombre',
  search_none: 'No se encontró ningún invitado.',
  search_offline: 'La búsqueda necesita la red.',
  granted: 'Puede entrar',
  unconfirmed: 'Entrada permitida, aún sin confirmar',
  unconfirmed_text: 'Este dispositivo no sabe nada en contra. El servidor aún no lo ha confirmado.',
  unknown: 'Invitado desconocido',
  unknown_text: 'Ningún invitado de este evento tiene este código.',
  not_authorized: 'No autorizado',
  not_authorized_text: 'Este invitado no puede entrar aquí.',
  too_many: 'Ya usado',
  too_many_text: 'Este invitado ha entrado aquí todas las veces permitidas.',
  refused_alone: 'Así lo dice este dispositivo. El servidor aún no lo ha confirmado.',
  undecided: 'Aún sin confirmar',
  undecided_text:
    'El servidor no responde, y este dispositivo no sabe si este invitado puede entrar. El escaneo se guarda y se enviará más tarde.',
  unread: 'No es un código de invitado',
  unread_text: 'Este no es el código de un invitado.',
  full: 'No escaneado',
  full_text:
    'La memoria de este dispositivo está llena, así que no se escaneó nada. Borre fotos o aplicaciones y escanee de nuevo.',
  problem: 'No registrado',
  sign: 'Pedir la firma de {name}',
  sign_title: 'Firma de {name}',
  sign_text: 'Entregue el dispositivo al invitado para que firme aquí con un dedo o un lápiz.',
  sign_done: 'Listo',
  sign_clear: 'Borrar',
  sign_cancel: 'Cancelar',
  signed: 'La firma está guardada.',
  sign_full:
    'La memoria de este dispositivo está llena, por eso la firma no está guardada. Borre fotos o aplicaciones e inténtelo de nuevo.',
  signatures_kept:
    'Firmas en este dispositivo que no están en el servidor: {count}. Guárdelo todo en un archivo y déselo al organizador.',
  save_signatures: 'Guardar las firmas en un archivo',
  conflict_signature: 'La firma no está registrada: {problem}',
}
