import type { ScannerTexts } from './en.ts'

/** The texts of the scanner in Portuguese. */
export const pt: ScannerTexts = {
  title: 'Leitor',
  opening: 'A abrir…',
  enrol_title: 'Configurar este dispositivo',
  enrol_text:
    'O organizador cria um dispositivo e recebe um código de oito caracteres. Escreva-o aqui, ou leia o código QR com a câmara deste telefone.',
  code: 'Código do dispositivo',
  enrol: 'Configurar',
  enrol_wrong:
    'Este código não é válido: está mal escrito, já foi usado ou tem mais de dez minutos. Peça outro ao organizador.',
  enrol_slow: 'Houve demasiados códigos errados. Tente de novo dentro de um minuto.',
  enrol_away: 'O servidor não responde. Verifique a rede e tente de novo.',
  revoked_title: 'Este dispositivo foi revogado',
  revoked_text:
    'Já não pode ler códigos e esqueceu a lista de convidados. Para continuar, peça um novo código ao organizador.',
  revoked_waiting:
    'Leituras neste dispositivo que não estão no servidor: {count}. Nada se perdeu: guarde tudo num ficheiro e entregue-o ao organizador.',
  other_waiting:
    'Leituras em espera aqui, feitas com um código anterior: {count}. Guarde tudo num ficheiro e entregue-o ao organizador.',
  save_scans: 'Guardar as leituras num ficheiro',
  point_title: 'Onde está a ler?',
  point_none: 'Não há ponto de controlo para este dispositivo. Pergunte ao organizador.',
  change_point: 'Mudar o ponto de controlo',
  online: 'Com rede',
  offline: 'Sem rede',
  waiting: '{count} em espera',
  conflicts: 'Diferenças ({count})',
  conflicts_title: 'O servidor diz outra coisa',
  conflicts_text:
    'Este dispositivo decidiu sozinho estas leituras, e o servidor teria decidido de outra forma. Avise o organizador.',
  conflict_in: 'Entrou aqui, mas o servidor diz: {status}',
  conflict_out: 'Foi recusado aqui, mas pode entrar',
  conflict_problem: 'Não está registado: {problem}',
  conflict_entered: 'Entrada anterior em {point}: {time}',
  back: 'Voltar às leituras',
  ready: 'Pronto a ler',
  camera_start: 'Ligar a câmara',
  camera_stop: 'Desligar a câmara',
  camera_denied:
    'A câmara não está permitida. Toque no símbolo ao lado do endereço desta página, permita a câmara e ligue-a de novo.',
  camera_none:
    'Não foi encontrada nenhuma câmara. Ligue uma e tente de novo, ou escreva o código ou procure o convidado em baixo.',
  camera_busy: 'Outra aplicação ou página está a usar a câmara. Feche-a e ligue a câmara de novo.',
  insecure: 'A câmara só funciona em páginas com https. Peça o endereço https ao organizador e abra-o.',
  type_code: 'Escrever um código',
  check_in: 'Registar',
  search: 'Procurar por nome',
  search_none: 'Nenhum convidado encontrado.',
  search_offline: 'A procura precisa da rede.',
  granted: 'Pode entrar',
  unconfirmed: 'Entrada permitida, ainda não confirmada',
  unconfirmed_text: 'Este dispositivo não sabe de nada em contrário. O servidor ainda não confirmou.',
  unknown: 'Convidado desconhecido',
  unknown_text: 'Nenhum convidado deste evento tem este código.',
  not_authorized: 'Não autorizado',
  not_authorized_text: 'Este convidado não pode entrar aqui.',
  too_many: 'Já usado',
  too_many_text: 'Este convidado já entrou aqui todas as vezes permitidas.',
  refused_alone: 'É o que diz este dispositivo. O servidor ainda não confirmou.',
  undecided: 'Ainda não confirmado',
  undecided_text:
    'O servidor não responde, e este dispositivo não sabe se este convidado pode entrar. A leitura fica guardada e será enviada mais tarde.',
  unread: 'Não é código de convidado',
  unread_text: 'Este não é o código de um convidado.',
  full: 'Não lido',
  full_text:
    'A memória deste dispositivo está cheia, por isso nada foi lido. Apague fotografias ou aplicações e leia de novo.',
  problem: 'Não registado',
  sign: 'Pedir a assinatura de {name}',
  sign_title: 'Assinatura de {name}',
  sign_text: 'Entregue o dispositivo ao convidado, que assina aqui com um dedo ou uma caneta.',
  sign_done: 'Concluído',
  sign_clear: 'Apagar',
  sign_cancel: 'Cancelar',
  signed: 'A assinatura está guardada.',
  sign_full:
    'A memória deste dispositivo está cheia, por isso a assinatura não está guardada. Apague fotografias ou aplicações e tente de novo.',
  signatures_kept:
    'Assinaturas neste dispositivo que não estão no servidor: {count}. Guarde tudo num ficheiro e entregue-o ao organizador.',
  save_signatures: 'Guardar as assinaturas num ficheiro',
  conflict_signature: 'A assinatura não está registada: {problem}',
}
