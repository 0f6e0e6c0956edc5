/* Stop words: the function words of some languages. Apostrophes end a word, so the parts of "don't"
 * and "l'homme" are listed. To add a language, add its list to the table at the end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text/settings.h"

static const char english[] =
    "a about above across after afterwards again against ain all almost alone along already also "
    "although always am among amongst an and another any anybody anyhow anyone anything anyway "
    "anywhere are aren around as at away b back be became because become becomes been before "
    "beforehand behind being below beside besides between beyond both but by c came can cannot "
    "come could couldn d did didn do does doesn doing don done down during e e.g each eg either "
    "else elsewhere enough etc even ever every everybody everyone everything everywhere except f "
    "few first for former from further g get gets getting give given gives go goes going got h had "
    "hadn has hasn have haven having he hence her here hereby herein hers herself him himself his "
    "how however i i.e ie if in indeed instead into is isn it its itself j just k keep l last "
    "later latter least less let ll m made make makes making many may maybe me meanwhile might "
    "mine more moreover most mostly much must mustn my myself n namely near neither never "
    "nevertheless next no nobody none nonetheless nor not nothing now nowhere o of off often on "
    "once one only onto or other others otherwise ought our ours ourselves out over own p per "
    "perhaps please put q quite r rather re really s said same saw say says see seem seemed "
    "seeming seems seen several shall shan she should shouldn since so some somebody somehow "
    "someone something sometime sometimes somewhere still such t take taken than that the their "
    "theirs them themselves then thence there thereafter thereby therefore therein thereof these "
    "they this those though through throughout thus till to together too toward towards two u "
    "under unless until up upon us v ve very via w was wasn we well went were weren what whatever "
    "when whence whenever where whereas whereby wherein wherever whether which while who whoever "
    "whole whom whose why will with within without won would wouldn x y yet you your yours "
    "yourself yourselves z";

static const char french[] =
    "a ai aie aient aies ait alors après as au aucun aucune aujourd auquel aura aurai auraient "
    "aurait auront aussi autre autres aux auxquelles auxquels avaient avais avait avant avec avez "
    "aviez avions avoir avons ayant beaucoup bien c car ce ceci cela celle celles celui cependant "
    "certain certaine certaines certains ces cet cette ceux chacun chacune chaque chez ci comme "
    "comment contre d dans de dehors déjà depuis des dès desquelles desquels deux devant doit "
    "doivent donc dont du duquel durant elle elles en encore enfin entre envers es est et étaient "
    "étais était étant été être eu eue eues eurent eut eux faire fait faites fois font furent fut "
    "hors hui ici il ils j jamais je jusqu jusque l la là laquelle le lequel les lesquelles "
    "lesquels leur leurs lors lorsqu lorsque lui m ma mais me même mêmes mes mien mienne miens moi "
    "moins mon n ne ni non nos notre nôtre nôtres nous nul on ont or ou où par parce parfois parmi "
    "pas pendant peu peut peuvent plupart plus plusieurs pour pourquoi pourtant près presque "
    "puis puisqu puisque qu quand quant que quel quelconque quelle quelles quelqu quelque quelques "
    "quels qui quoi quoique rien s sa sans sauf se selon sera serai seraient serait seront ses "
    "seul seulement si sien sienne siens sinon soi soient sois soit sommes son sont sous souvent "
    "suis sur t ta tandis tant te tel telle telles tels tes toi ton toujours tous tout toute "
    "toutefois toutes très trop tu un une vers voici voilà vont vos votre vôtre vous y";

static const char german[] =
    "ab aber alle allem allen aller allerdings alles als also am an andere anderem anderen anderer "
    "anderes auch auf aus außer außerdem bald bei beide beiden beim bereits bevor bin bis bist da "
    "dabei dadurch dafür dagegen daher dahin damals damit danach daneben dann daran darauf daraus "
    "darf darin darüber darum darunter das dass daß davon davor dazu dein deine deinem deinen "
    "deiner deines dem demnach den denen denn dennoch der deren des deshalb dessen dich die dies "
    "diese dieselbe diesem diesen dieser dieses dir doch dort du durch dürfen ebenso eher eigen "
    "eigene eigenen ein eine einem einen einer eines einige einigen einiger einiges einmal er erst "
    "es etwa etwas euch euer eure eurem euren eurer falls fast für gab ganz gar gegen gegenüber "
    "gemäß gewesen gibt ging habe haben hast hat hatte hatten hätte hätten her hier hin hinter ich "
    "ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in indem ins irgend ist ja je jede "
    "jedem jeden jeder jedes jedoch jene jenem jenen jener jenes jetzt kann kannst kaum kein keine "
    "keinem keinen keiner keines können könnte könnten machen man manche manchem manchen mancher "
    "manches mehr mein meine meinem meinen meiner meines meist mich mir mit mögen möglich muss "
    "müssen musste muß nach nachdem neben nein nicht nichts noch nun nur ob obwohl oder oft ohne "
    "schon sehr sei seien sein seine seinem seinen seiner seines seit seitdem selbst sich sie sind "
    "so sobald sofern sogar solange solche solchem solchen solcher solches soll sollen sollte "
    "sollten sondern sonst soweit sowie sowohl statt über überhaupt um und uns unser unsere "
    "unserem unseren unserer unter viel viele vielen vieler vielleicht vom von vor während wann "
    "war wäre wären waren warst warum was wegen weil weiter weitere weiteren welche welchem "
    "welchen welcher welches wem wen wenig wenige wenigen weniger wenn wer werde werden wessen wie "
    "wieder will wir wird wirst wo wobei wodurch wohl wollen wollte wollten worden wurde würde "
    "wurden würden z.b zu zudem zum zur zwar zwischen";

static const char spanish[] =
    "a acá además ahí ahora al algo alguien algún alguna algunas alguno algunos allá allí ambas "
    "ambos ante antes aquel aquella aquellas aquello aquellos aquí así aun aún aunque bajo bien "
    "cabe cada casi como cómo con conmigo contigo contra cual cuál cuales cuáles cualquier "
    "cualquiera cuando cuándo cuanta cuantas cuanto cuánto cuantos da dado de debe deben del demás "
    "dentro desde después dice dicho donde dónde dos durante e el él ella ellas ello ellos embargo "
    "en encima entonces entre era eran eras eres es esa esas ese eso esos esta está ésta estaba "
    "estaban estado están estar estas estás este esté éste esto estos éstos estoy estuvo fue "
    "fuera fueron ha haber había habían habría hace hacen hacer hacia han has hasta hay haya he "
    "hemos hubo incluso jamás junto la las le les lo los luego más me mediante menos mi mí mía "
    "mías "
    "mientras mío míos mis misma mismas mismo mismos mucha muchas mucho muchos muy nada nadie ni "
    "ningún ninguna ninguno no nos nosotras nosotros nuestra nuestras nuestro nuestros nunca o os "
    "otra otras otro otros para pero poca pocas poco pocos podrá podría por porque pronto pudo "
    "puede pueden pues que qué quien quién quienes quizá quizás se sea sean según ser será serán "
    "sería si sí sido siempre siendo sin sino sobre sois solamente solo sólo somos son soy su sus "
    "suya suyas suyo suyos tal tales también tampoco tan tanta tantas tanto tantos te tenemos "
    "tener tengo tenía ti tiene tienen toda todas todavía todo todos tras tu tú tus tuvo tuya "
    "tuyas "
    "tuyo tuyos u un una unas uno unos usted ustedes va van varias varios veces vosotras vosotros "
    "vuestra vuestras vuestro vuestros y ya yo";

static const char italian[] =
    "a abbia abbiamo ad agli ai al alcun alcuna alcune alcuni alcuno all alla alle allo allora "
    "altra altre altri altro anche ancora avendo avere aveva avevano avevo avuto c che chi "
    "chiunque "
    "ci ciascuna ciascuno ciò cioè circa coi col come con contro cosa così cui d da dagli dai dal "
    "dall dalla dalle dallo davanti degli dei del dell della delle dello dentro deve di dice dopo "
    "dove dunque durante e è ebbe ecco ed egli era erano eri ero essa esse essendo esser essere "
    "essi esso fa fare fatto finché fino forse fosse fossero fra fu fuori furono già gli ha hai "
    "hanno ho i il in infatti invece io l la là le lei li lo loro lui lungo ma mai me medesimo "
    "meglio meno mentre mi mia mie miei mio molta molte molti molto ne né negli nei nel nell nella "
    "nelle nello nessun nessuna nessuno niente noi non nostra nostre nostri nostro nulla o od ogni "
    "ognuno oltre oppure ora per perché perciò però piuttosto più poca poche pochi poco poi poiché "
    "possono prima proprio può pur pure qua qual qualche qualcosa qualcuno quale quali qualunque "
    "quando quanta quante quanti quanto quasi quegli quei quel quell quella quelle quelli quello "
    "quest questa queste questi questo qui quindi s sarà saranno sarebbe se secondo sei sempre "
    "senza si sì sia siamo siano siete sono sopra sotto sta stanno stata state stati stato stessa "
    "stesse stessi stesso su sua sue sugli sui sul sull sulla sulle sullo suo suoi t tale tali "
    "tanta tante tanti tanto te ti tra troppo tu tua tue tuo tuoi tutta tuttavia tutte tutti tutto "
    "un una uno v verso vi viene vostra vostre vostri vostro voi";

static const char portuguese[] =
    "a à acerca agora aí ainda além algo alguém algum alguma algumas alguns ali ambas ambos ante "
    "antes ao aonde aos apenas após aquela àquela aquelas aquele àquele aqueles aqui aquilo as às "
    "assim até através bem cada cerca com como conforme consigo contra contudo cuja cujas cujo "
    "cujos da daquela daquele dar das de debaixo dela delas dele deles demais dentro depois desde "
    "dessa dessas desse desses desta destas deste destes deve devem diante disse disso disto do "
    "dois dos durante e é ela elas ele eles em embora enquanto então entre era eram essa essas "
    "esse esses esta está estamos estão estar estas estás estava estavam este esteja estes esteve "
    "estou eu faz fazer feita feito foi for fora foram fosse fui há haja haver havia isso isto já "
    "jamais lá lhe lhes logo mais mas me mediante menos mesma mesmas mesmo mesmos meu meus mim "
    "minha minhas muita muitas muito muitos na nada não nas nela nele nem nenhum nenhuma nessa "
    "nesse nesta neste ninguém no nos nós nossa nossas nosso nossos num numa nunca o onde ora os "
    "ou outra outras outro outros para pela pelas pelo pelos perante pode podem poderia pois por "
    "porém porque portanto pouca poucas pouco poucos pra própria próprio quais qual qualquer "
    "quando quanta quantas quanto quantos quase que quê quem quer são se segundo seja sejam sem "
    "sempre sendo ser será serão seria seu seus si sido sim só sob sobre somente sou sua suas tais "
    "tal também tampouco tanta tantas tanto tão te tem têm temos tendo tenha tenho ter terá teu "
    "teus teve ti tinha tinham toda todas todavia todo todos tu tua tuas tudo um uma umas uns vai "
    "vão várias vários vez vezes você vocês vos vós vosso";

static const char dutch[] =
    "aan achter af al alhoewel alle allebei alleen alles als alsof altijd ander andere anderen "
    "anders bent ben beter bij bijna binnen boven buiten d daar daarbij daardoor daarin daarmee "
    "daarna daarom daarop daarvan daarvoor dan dat de deed den der des deze die dikwijls dit doch "
    "doen doet dus door een één eens eerst elk elke en enige enkel enkele er ergens etc even geen "
    "geweest ging had hadden hare heb hebben hebt heeft hem hen hence het hier hierbij hierin "
    "hiermee hij hoe hoewel hun iedere ieder iedereen iemand iets ik in indien ja je jij jou jouw "
    "jullie kan konden kon kunnen kunt later liever maar mag me meer men met mezelf mij mijn "
    "misschien moest moeten moet mogen na naar naast nadat net niemand niet niets nog nogal nooit "
    "nu of ofwel om omdat onder ons onze ook op opdat over overal pas per rond s sinds sindsdien "
    "slechts sommige soms steeds t te tegen tenzij terwijl toch toe toen tot tussen u uit uw vaak "
    "van vanaf vandaan vanuit vanwege veel verder via volgens voor vooral voordat waar waarbij "
    "waarin waarom waarop waarvan wanneer want waren was wat we weer weinig wel welk welke werd "
    "werden wie wiens wij wil wilde worden wordt zal ze zeer zei zelf zelfs zich zichzelf zij zijn "
    "zijne zo zoals zodat zonder zou zouden zoveel zowel zulke zullen";

static const char russian[] =
    "а без бы был была были было быть в вам вами вас ваш ваша ваше ваши вдруг ведь весь во вот "
    "впрочем все всегда всего всей всем всеми всему всех всею всё всю вся вы где да даже для до "
    "другая другие других другого другое другой его ее ей ему если есть ещё еще её же за зачем и "
    "из или им ими иногда их к каждая каждое каждый как какая какие каким какой ко когда кого кому "
    "конечно которая которого которое которой котором которую которые который которым которых кто "
    "куда ли лишь лучше между меня мне мной много мною мог могут может можно мои мой моя мы на над "
    "надо наконец нам нами нас наш наша наше наши не него нее ней нельзя нем нему нет неё ни "
    "нибудь "
    "никогда никто ним ними них ничего но ну нём о об один одна одни одно однако около он она они "
    "оно опять от отчего очень перед по под пока после потом потому почему почти при про раз разве "
    "с сам сама сами само самого самой самом самый свое своего своей своему свои своих свой своими "
    "своим свою своя своё себе себя сейчас со совсем так такая также такие таким таких такое такой "
    "там твой твоя те тебе тебя тем теперь тех то тобой тогда того тоже той только том тому тот ту "
    "тут ты у уж уже хорошо хоть хотя чего чей чем чему через что чтоб чтобы чуть чьё чья эта эти "
    "этим этими этих это этого этой этом этому этот эту я";

const cob_language cob_languages[] = {
    {"en", "English", english}, {"fr", "French", french},   {"de", "German", german},
    {"es", "Spanish", spanish}, {"it", "Italian", italian}, {"pt", "Portuguese", portuguese},
    {"nl", "Dutch", dutch},     {"ru", "Russian", russian},
};

const int cob_language_count = sizeof cob_languages / sizeof *cob_languages;
